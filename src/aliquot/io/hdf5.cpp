#include "aliquot/io/hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/input_file.hpp"

namespace aliquot::io {

namespace {

/// An HDF5 identifier that closes itself.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    [[nodiscard]] hid_t id() const { return id_; }
    [[nodiscard]] bool valid() const { return id_ >= 0; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// HDF5 prints its errors unless told not to; we report them ourselves. Its own cleaning up at exit crashes where a file could
/// not be written whole, and has nothing to do for handles that close themselves.
void silence() {
    static const herr_t without_exit = H5dont_atexit();
    (void)without_exit;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

herr_t collect(hid_t, const char* name, const H5O_info_t* info, void* data) {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(data)->push_back(std::string("/") + name);
    return 0;
}

}  // namespace

struct Hdf5Reader::File {
    std::string path;
    hid_t id = -1;

    [[noreturn]] void damaged(const std::string& what) const {
        throw DataError(
            format("{}: cannot read {} (the file is damaged, truncated or needs a filter that is not there): fetch it again",
                   path, what));
    }
    template <typename T>
    void read(const std::string& name, std::size_t first, std::size_t count, hid_t type, T* out) const {
        const Handle set(H5Dopen2(id, name.c_str(), H5P_DEFAULT), H5Dclose);
        const Handle space(H5Dget_space(set.id()), H5Sclose);
        std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 0)));
        if (!set.valid() || extent.empty()) damaged(name);
        H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
        std::vector<hsize_t> start(extent.size(), 0);
        ALIQUOT_EXPECT(first + count <= extent[0]);
        start[0] = first;
        extent[0] = count;
        const Handle memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
        if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0 ||
            H5Dread(set.id(), type, memory.id(), space.id(), H5P_DEFAULT, out) < 0)
            damaged(name);
    }
};

Hdf5Reader::Hdf5Reader(const std::string& path) : file_(std::make_unique<File>()) {
    silence();
    const InputFile exists(path);  // says why a file cannot be opened
    file_->path = path;
    file_->id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file_->id < 0) throw DataError(format("{}: not an HDF5 file, or a damaged one: name another or fetch it again", path));
}

Hdf5Reader::~Hdf5Reader() {
    H5Fclose(file_->id);
}

std::vector<std::string> Hdf5Reader::datasets() const {
    std::vector<std::string> names;
    if (H5Ovisit2(file_->id, H5_INDEX_NAME, H5_ITER_INC, collect, &names, H5O_INFO_BASIC) < 0)
        file_->damaged("its list of datasets");
    return names;
}

Hdf5Dataset Hdf5Reader::describe(const std::string& dataset) const {
    const std::vector<std::string> known = datasets();
    const std::string path = dataset.starts_with('/') ? dataset : "/" + dataset;
    if (std::ranges::find(known, path) == known.end())
        throw DataError(format("{}: no dataset \"{}\"{}", file_->path, dataset, suggest(path, known)));
    const Handle set(H5Dopen2(file_->id, path.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(set.id()), H5Sclose);
    const Handle type(H5Dget_type(set.id()), H5Tclose);
    const Handle creation(H5Dget_create_plist(set.id()), H5Pclose);
    if (!set.valid() || !space.valid() || !type.valid()) file_->damaged(path);
    Hdf5Dataset found;
    found.path = path;
    std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 0)));
    H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
    found.shape.assign(extent.begin(), extent.end());
    const H5T_class_t kind = H5Tget_class(type.id());
    if (kind != H5T_FLOAT && kind != H5T_INTEGER)
        throw DataError(format("{}, dataset {}: it does not hold real numbers: name another", file_->path, path));
    found.type.kind = kind == H5T_FLOAT                        ? NumberKind::floating
                      : H5Tget_sign(type.id()) == H5T_SGN_NONE ? NumberKind::unsigned_integer
                                                               : NumberKind::signed_integer;
    found.type.bytes = H5Tget_size(type.id());
    found.type.big_endian = H5Tget_order(type.id()) == H5T_ORDER_BE;
    const haddr_t offset = H5Dget_offset(set.id());
    const bool known_size = found.type.bytes == 1 || found.type.bytes == 2 || found.type.bytes == 4 || found.type.bytes == 8;
    if (H5Pget_layout(creation.id()) == H5D_CONTIGUOUS && H5Pget_external_count(creation.id()) == 0 && offset != HADDR_UNDEF &&
        known_size)
        found.offset = offset;
    return found;
}

void Hdf5Reader::read(const std::string& dataset, std::size_t first, std::size_t count, float* out) const {
    file_->read(dataset, first, count, H5T_NATIVE_FLOAT, out);
}

void Hdf5Reader::read(const std::string& dataset, std::size_t first, std::size_t count, std::int64_t* out) const {
    file_->read(dataset, first, count, H5T_NATIVE_INT64, out);
}

struct Hdf5Writer::File {
    explicit File(const std::filesystem::path& path) : atomic(path) {
        silence();
        id = H5Fcreate(atomic.hand_over().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        check(id >= 0);
    }
    ~File() {
        for (const hid_t set : sets)
            H5Dclose(set);
        if (id >= 0) H5Fclose(id);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    void check(bool fine) const {
        if (!fine)
            throw ResourceError(format("cannot write {} (HDF5 failed): check the path, its permissions and the free space",
                                       atomic.target().string()));
    }

    AtomicFile atomic;
    hid_t id = -1;
    std::vector<hid_t> sets;
    std::vector<Type> types;
};

Hdf5Writer::Hdf5Writer(const std::filesystem::path& path) : file_(std::make_unique<File>(path)) {}
Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::column(const std::string& name, Type type, std::size_t rows) {
    const hsize_t extent = rows;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const hid_t stored = type == Type::float32 ? H5T_IEEE_F32LE : H5T_STD_I64LE;
    const hid_t set = H5Dcreate2(file_->id, name.c_str(), stored, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    file_->check(set >= 0);
    file_->sets.push_back(set);
    file_->types.push_back(type);
}

void Hdf5Writer::put(std::size_t column, std::size_t first, const void* values, std::size_t count) {
    if (count == 0) return;
    const hsize_t start = first;
    const hsize_t extent = count;
    const hid_t set = file_->sets.at(column);
    const Handle space(H5Dget_space(set), H5Sclose);
    const Handle memory(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const hid_t type = file_->types[column] == Type::float32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT64;
    file_->check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr) >= 0 &&
                 H5Dwrite(set, type, memory.id(), space.id(), H5P_DEFAULT, values) >= 0);
}

void Hdf5Writer::close() {
    bool fine = true;
    for (const hid_t set : file_->sets)
        fine = H5Dclose(set) >= 0 && fine;
    file_->sets.clear();
    fine = H5Fclose(std::exchange(file_->id, -1)) >= 0 && fine;
    file_->check(fine);
    file_->atomic.commit();
}

}  // namespace aliquot::io
