#include "aliquot/io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

using test::message_of;
using test::ScratchDirectory;

TEST(AtomicFile, TheTargetChangesOnlyWhenTheFileIsWhole) {
    const ScratchDirectory scratch;
    write_file(scratch / "a", "old");
    {
        AtomicFile file(scratch / "a");
        file.write("ne");
        EXPECT_EQ(read_file(scratch / "a"), "old");
        file.write("w");
        file.commit();
        EXPECT_EQ(read_file(scratch / "a"), "new");
    }
    EXPECT_EQ(scratch.listing(), std::vector<std::string>{"a"});
    {
        AtomicFile file(scratch / "a");
        file.write("lost");
    }
    EXPECT_EQ(read_file(scratch / "a"), "new");
    EXPECT_EQ(scratch.listing(), std::vector<std::string>{"a"});
}

TEST(AtomicFile, HandsItsNameToOtherLibraries) {
    const ScratchDirectory scratch;
    AtomicFile file(scratch / "a");
    const std::filesystem::path name = file.hand_over();
    EXPECT_FALSE(std::filesystem::exists(name));
    EXPECT_EQ(name.parent_path(), (scratch / "a").parent_path());
    write_file(name, "made elsewhere");
    file.commit();
    EXPECT_EQ(read_file(scratch / "a"), "made elsewhere");
}

TEST(AtomicFile, LinksStayLinks) {
    const ScratchDirectory scratch;
    write_file(scratch / "real", "old");
    std::filesystem::create_symlink("real", scratch / "link");
    write_file(scratch / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link"));
    EXPECT_EQ(read_file(scratch / "real"), "new");
}

TEST(AtomicFile, FailuresNamePathAndReason) {
    const ScratchDirectory scratch;
    try {
        write_file("/nonexistent/folder/a", "x");
        FAIL();
    } catch (const ResourceError& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::io);
        EXPECT_STREQ(
            error.what(),
            "cannot write /nonexistent/folder/a (No such file or directory): check the path, its permissions and the free space");
    }
    std::filesystem::create_directory(scratch / "folder");
    EXPECT_EQ(message_of<ResourceError>([&] { write_file(scratch / "folder", "x"); }),
              "cannot write " + (scratch / "folder").string() + " (it is a directory): name a file");
    EXPECT_NE(message_of<ResourceError>([] { write_file("/dev/null", "x"); }).find("not a regular file"), std::string::npos);
}

TEST(Files, ReadingFailuresSayWhy) {
    const ScratchDirectory scratch;
    for (const std::filesystem::path& path : {scratch / "none", scratch / ""}) {
        try {
            (void)read_file(path);
            FAIL();
        } catch (const DataError& error) {
            EXPECT_EQ(error.exit_code(), ExitCode::no_input);
        }
    }
    std::string big(300000, 'x');
    big[123456] = '\0';
    write_file(scratch / "big", big);
    EXPECT_EQ(read_file(scratch / "big"), big);
}

TEST(Files, TemporariesOfDeadProcessesAreRemoved) {
    const ScratchDirectory scratch;
    const pid_t child = ::fork();
    if (child == 0) {
        AtomicFile killed(scratch / "f");
        killed.write("half");
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    AtomicFile living(scratch / "f");
    living.write("whole");
    write_file(scratch / ".f.notes.tmp", "not ours");
    write_file(scratch / ".g.1-0.tmp", "of another file");
    ASSERT_EQ(scratch.listing().size(), 4U);
    remove_abandoned(scratch / "f");
    EXPECT_EQ(scratch.listing().size(), 3U);
    living.commit();
    EXPECT_EQ(read_file(scratch / "f"), "whole");
    EXPECT_TRUE(std::filesystem::exists(scratch / ".f.notes.tmp"));
    EXPECT_TRUE(std::filesystem::exists(scratch / ".g.1-0.tmp"));
    remove_abandoned(scratch / "no such folder" / "f");
}

TEST(Files, DirectoriesAreMadeWithTheirParents) {
    const ScratchDirectory scratch;
    ensure_directory(scratch / "a/b/c");
    ensure_directory(scratch / "a/b/c");
    EXPECT_TRUE(std::filesystem::is_directory(scratch / "a/b/c"));
    write_file(scratch / "file", "x");
    EXPECT_NE(message_of<ResourceError>([&] { ensure_directory(scratch / "file"); }).find("something else has that name"),
              std::string::npos);
    EXPECT_THROW(ensure_directory(scratch / "file/below"), ResourceError);
}

}  // namespace
}  // namespace aliquot::io
