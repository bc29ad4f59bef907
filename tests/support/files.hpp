#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace aliquot::test {

/// A file of the test data (ALIQUOT_TEST_DATA, else ../shared/data beside the source tree); empty where it is not there.
inline std::filesystem::path data_file(const std::string& name) {
    const char* set = std::getenv("ALIQUOT_TEST_DATA");
    const std::filesystem::path path = std::filesystem::path(set != nullptr ? set : ALIQUOT_DEFAULT_TEST_DATA) / name;
    return std::filesystem::exists(path) ? path : std::filesystem::path();
}

/// An empty directory that goes away with the object.
class ScratchDirectory {
  public:
    ScratchDirectory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "aliquot-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch directory");
        path_ = pattern;
    }
    ~ScratchDirectory() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    [[nodiscard]] std::vector<std::string> listing() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            names.push_back(entry.path().filename().string());
        return names;
    }

  private:
    std::filesystem::path path_;
};

/// Run `action`, which must throw an E, and give its message.
template <typename E, typename Action>
std::string message_of(Action&& action) {
    try {
        action();
    } catch (const E& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("wrong exception: ") + error.what();
    }
    return "no exception";
}

}  // namespace aliquot::test

/// Skip a test that needs a file which is not there.
#define ALIQUOT_NEEDS_DATA(variable, name)                                 \
    const std::filesystem::path variable = aliquot::test::data_file(name); \
    if (variable.empty()) GTEST_SKIP() << name << " is not in ALIQUOT_TEST_DATA"
