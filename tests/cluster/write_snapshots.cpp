#include "aliquot/cluster/snapshot.hpp"
#include "cluster/star_makers.hpp"

/// Writes DIR/stars.csv and DIR/stars.ecsv for a reader from outside.
int main(int, char** argv) {
    using namespace aliquot::cluster;
    const Stars stars = aliquot::test::plummer(100);
    SnapshotHeader header;
    header.units = pc_msun_km_s();
    header.stars = stars.size();
    header.description = "a 'Plummer' sphere";
    for (const char* name : {"/stars.csv", "/stars.ecsv"}) {
        const auto sink = open_star_sink(argv[1] + std::string(name), "", header);
        sink->write(stars);
        sink->finish();
    }
    return 0;
}
