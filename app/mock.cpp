#include <cstdio>
#include <filesystem>

#include "aliquot/spectra/mock.hpp"
#include "aliquot/summary/mock_frame.hpp"
#include "app/commands.hpp"

namespace aliquot::app {

int run(const MockAgnCommand& command) {
    spectra::write_mock(spectra::mock_agn(command.seed), command.seed, command.out);
    std::printf("wrote %s and %s\n", command.out.c_str(),
                std::filesystem::path(command.out).replace_extension(".truth.json").c_str());
    return 0;
}

int run(const MockFrameCommand& command) {
    summary::write_mock_frame(command.out, summary::parse_mock_kind(command.kind), command.rows, command.draws, command.seed);
    std::printf("wrote y_pred.npy and identifiers.npz (%zu rows of %zu draws) in %s\n", command.rows, command.draws,
                command.out.c_str());
    return 0;
}

}  // namespace aliquot::app
