#include "aliquot/io/zip.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

std::string content(const InputFile& file, const ZipMember& member) {
    const auto stream = open_zip_member(file, member);
    std::string bytes(member.size, '\0');
    EXPECT_EQ(stream->read(std::as_writable_bytes(std::span(bytes))), member.size);
    return bytes;
}

void append(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 255U);
}

/// A ZIP archive without ZIP64 fields and with one deflated member, built here from the format's description.
std::string deflated_archive(const std::string& text) {
    std::string packed(compressBound(text.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
    packed = packed.substr(2, size - 6);  // the raw deflate stream inside zlib's wrapper
    const std::uint64_t crc = crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
    std::string common;
    for (const int field : {20, 0, 8, 0, 33})
        append(common, static_cast<std::uint64_t>(field), 2);
    append(common, crc, 4);
    append(common, packed.size(), 4);
    append(common, text.size(), 4);
    append(common, 8, 2);
    std::string archive("PK\3\4");
    archive += common;
    append(archive, 0, 2);
    archive += "time.npy" + packed;
    const std::size_t directory = archive.size();
    archive += "PK\1\2";
    append(archive, 20, 2);
    archive += common;
    append(archive, 0, 2 + 2 + 2 + 2 + 4);
    append(archive, 0, 4);
    archive += "time.npy";
    const std::size_t length = archive.size() - directory;
    archive += "PK\5\6";
    append(archive, 0, 4);
    append(archive, 1, 2);
    append(archive, 1, 2);
    append(archive, length, 4);
    append(archive, directory, 4);
    append(archive, 0, 2);
    return archive;
}

TEST(Zip, WhatIsWrittenSideBySideIsRead) {
    const test::ScratchDirectory scratch;
    {
        ZipWriter writer(scratch / "a.npz", {{"time.npy", 6}, {"unit.npy", 4}});
        writer.append(0, "abc");
        writer.append(1, "1234");
        writer.append(0, "def");
        EXPECT_FALSE(std::filesystem::exists(scratch / "a.npz"));
        writer.close();
    }
    const InputFile file((scratch / "a.npz").string());
    const auto members = read_zip_directory(file);
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(members[0].name, "time.npy");
    EXPECT_EQ(content(file, members[0]), "abcdef");
    EXPECT_EQ(content(file, members[1]), "1234");
}

TEST(Zip, DeflatedMembers) {
    const test::ScratchDirectory scratch;
    std::string text;
    for (int i = 0; i < 40000; ++i)
        text += std::to_string(i * 7919 % 1000);
    write_file(scratch / "b.npz", deflated_archive(text));
    const InputFile file((scratch / "b.npz").string());
    const auto members = read_zip_directory(file);
    ASSERT_EQ(members.size(), 1U);
    EXPECT_TRUE(members[0].deflated);
    EXPECT_EQ(content(file, members[0]), text);
    std::string bytes = deflated_archive(text);
    bytes[2000] = static_cast<char>(bytes[2000] ^ 1);
    write_file(scratch / "c.npz", bytes);
    const InputFile damaged((scratch / "c.npz").string());
    EXPECT_NE(test::message_of<DataError>([&] { (void)content(damaged, read_zip_directory(damaged)[0]); }).find("damaged"),
              std::string::npos);
}

TEST(Zip, WhatIsNotAnArchive) {
    const test::ScratchDirectory scratch;
    write_file(scratch / "x.npz", "no archive");
    const InputFile file((scratch / "x.npz").string());
    EXPECT_NE(test::message_of<DataError>([&] { (void)read_zip_directory(file); }).find("not a ZIP archive"), std::string::npos);
    EXPECT_NE(test::message_of<DataError>([&] { (void)InputFile((scratch / "none.npz").string()); }).find("check the path"),
              std::string::npos);
}

}  // namespace
}  // namespace aliquot::io
