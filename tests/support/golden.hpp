#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace aliquot::test {

/// A file of golden figures in tests/golden.
inline nlohmann::json golden(const std::string& name) {
    std::ifstream file(std::filesystem::path(ALIQUOT_GOLDEN) / name);
    return nlohmann::json::parse(file);
}

}  // namespace aliquot::test
