#include <cstdio>
#include <filesystem>

#include "aliquot/spectra/mock.hpp"
#include "app/commands.hpp"

namespace aliquot::app {

int run(const MockAgnCommand& command) {
    spectra::write_mock(spectra::mock_agn(command.seed), command.seed, command.out);
    std::printf("wrote %s and %s\n", command.out.c_str(),
                std::filesystem::path(command.out).replace_extension(".truth.json").c_str());
    return 0;
}

}  // namespace aliquot::app
