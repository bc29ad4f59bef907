#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "aliquot/cluster/snapshot_formats.hpp"
#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster::detail {

namespace {

constexpr std::size_t types = 6;  // of particles; stars are type 1, the collisionless one
constexpr double pc_cm = 3.0856775814913673e18;
constexpr double msun_g = 1.988409870698051e33;  // G M_sun = 1.3271244e20 m^3/s^2 (IAU) with G of CODATA 2018

/// A handle of the HDF5 library, closed by the function that belongs to it.
class Handle {
  public:
    Handle() = default;
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    operator hid_t() const { return id_; }
    [[nodiscard]] bool valid() const { return id_ >= 0; }

  private:
    hid_t id_ = -1;
    herr_t (*close_)(hid_t) = nullptr;
};

/// The library prints what goes wrong unless it is told not to.
void silence() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

[[noreturn]] void fail_write(const std::string& path) {
    throw ResourceError(format("cannot write {} (the HDF5 library reports a failure): check the free space", path));
}

class GadgetSink final : public StarSink {
  public:
    GadgetSink(const std::string& path, const SnapshotHeader& header) : file_(path), path_(path), header_(header) {
        silence();
        hdf5_ = {H5Fcreate(file_.hand_over().c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
        check(hdf5_);
        write_header();
        group_ = {H5Gcreate2(hdf5_, "PartType1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
        check(group_);
        positions_ = dataset("Coordinates", H5T_IEEE_F64LE, 3);
        velocities_ = dataset("Velocities", H5T_IEEE_F64LE, 3);
        masses_ = dataset("Masses", H5T_IEEE_F64LE, 1);
        ids_ = dataset("ParticleIDs", H5T_STD_U64LE, 1);
    }

    void write(const Stars& block) override {
        ALIQUOT_EXPECT(written_ + block.size() <= header_.stars);
        if (block.size() == 0) return;
        std::vector<double> triples(3 * block.size());
        const auto interleave = [&](const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
            for (std::size_t i = 0; i < block.size(); ++i) {
                triples[3 * i] = a[i];
                triples[3 * i + 1] = b[i];
                triples[3 * i + 2] = c[i];
            }
        };
        interleave(block.x, block.y, block.z);
        put(positions_, H5T_NATIVE_DOUBLE, block.size(), 3, triples.data());
        interleave(block.vx, block.vy, block.vz);
        put(velocities_, H5T_NATIVE_DOUBLE, block.size(), 3, triples.data());
        put(masses_, H5T_NATIVE_DOUBLE, block.size(), 1, block.mass.data());
        std::vector<unsigned long long> ids(block.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            ids[i] = written_ + i + 1;
        put(ids_, H5T_NATIVE_ULLONG, block.size(), 1, ids.data());
        written_ += block.size();
    }

    void finish() override {
        ALIQUOT_EXPECT(written_ == header_.stars);
        if (H5Fflush(hdf5_, H5F_SCOPE_GLOBAL) < 0) fail_write(path_);
        for (Handle* handle : {&positions_, &velocities_, &masses_, &ids_, &group_, &hdf5_})
            *handle = Handle();
        file_.commit();
    }

  private:
    void check(const Handle& handle) const {
        if (!handle.valid()) fail_write(path_);
    }

    void write_header() {
        const Handle group(H5Gcreate2(hdf5_, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
        check(group);
        if (header_.stars > 0xffffffffULL)
            throw ConfigError(format("{} stars (a Gadget file holds fewer than 2^32): choose another format", header_.stars));
        const std::array<unsigned, types> counts{0, static_cast<unsigned>(header_.stars), 0, 0, 0, 0};
        const std::array<unsigned, types> none{};
        const std::array<double, types> no_masses{};
        attribute(group, "NumPart_ThisFile", H5T_STD_U32LE, H5T_NATIVE_UINT, types, counts.data());
        attribute(group, "NumPart_Total", H5T_STD_U32LE, H5T_NATIVE_UINT, types, counts.data());
        attribute(group, "NumPart_Total_HighWord", H5T_STD_U32LE, H5T_NATIVE_UINT, types, none.data());
        attribute(group, "MassTable", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, types, no_masses.data());
        for (const char* name : {"Time", "Redshift", "BoxSize", "Omega0", "OmegaLambda"})
            real(group, name, 0.0);
        real(group, "HubbleParam", 1.0);
        integer(group, "NumFilesPerSnapshot", 1);
        for (const char* name : {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals", "Flag_Feedback"})
            integer(group, name, 0);
        integer(group, "Flag_DoublePrecision", 1);
        // Our own facts: readers of Gadget files pass over what they do not know.
        real(group, "GravitationalConstant", header_.units.gravitational_constant);
        text(group, "Units", header_.units.name);
        if (!header_.units.length.empty()) {
            real(group, "UnitLength_in_cm", pc_cm);
            real(group, "UnitMass_in_g", msun_g);
            real(group, "UnitVelocity_in_cm_per_s", header_.units.velocity == "km/s" ? 1e5 : 1e5 * km_s_per_pc_myr);
        }
        real(group, "NumBinaries", static_cast<double>(header_.binaries));
        real(group, "VirialRadius_pc", header_.length_unit_pc);
        real(group, "MeanMass_Msun", header_.mean_mass_msun);
        if (!header_.description.empty()) text(group, "Description", header_.description);
    }

    void attribute(hid_t group, const char* name, hid_t stored, hid_t native, hsize_t count, const void* values) {
        const Handle space(count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
        const Handle made(H5Acreate2(group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        if (!made.valid() || H5Awrite(made, native, values) < 0) fail_write(path_);
    }
    void real(hid_t group, const char* name, double value) {
        attribute(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &value);
    }
    void integer(hid_t group, const char* name, int value) { attribute(group, name, H5T_STD_I32LE, H5T_NATIVE_INT, 0, &value); }
    void text(hid_t group, const char* name, const std::string& value) {
        const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type, std::max<std::size_t>(value.size(), 1));
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        attribute(group, name, type, type, 0, value.c_str());
    }

    Handle dataset(const char* name, hid_t type, hsize_t width) {
        const std::array<hsize_t, 2> shape{header_.stars, width};
        const Handle space(H5Screate_simple(width > 1 ? 2 : 1, shape.data(), nullptr), H5Sclose);
        Handle made(H5Dcreate2(group_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
        check(made);
        return made;
    }
    void put(const Handle& to, hid_t type, hsize_t count, hsize_t width, const void* values) {
        const Handle space(H5Dget_space(to), H5Sclose);
        const std::array<hsize_t, 2> start{written_, 0};
        const std::array<hsize_t, 2> shape{count, width};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr);
        const Handle memory(H5Screate_simple(width > 1 ? 2 : 1, shape.data(), nullptr), H5Sclose);
        if (H5Dwrite(to, type, memory, space, H5P_DEFAULT, values) < 0) fail_write(path_);
    }

    io::AtomicFile file_;
    std::string path_;
    SnapshotHeader header_;
    Handle hdf5_, group_, positions_, velocities_, masses_, ids_;
    std::size_t written_ = 0;
};

class GadgetSource final : public StarSource {
  public:
    GadgetSource(const std::string& path, const std::optional<Units>& units) : path_(path) {
        silence();
        if (!std::filesystem::exists(path))
            throw DataError(format("cannot open {} (no such file): check the path", path), ExitCode::no_input);
        hdf5_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
        if (!hdf5_.valid()) fail("not an HDF5 file");
        const Handle group(H5Gopen2(hdf5_, "Header", H5P_DEFAULT), H5Gclose);
        if (!group.valid()) fail("no group Header");
        std::array<double, types> counts{};
        if (!numbers(group, "NumPart_ThisFile", counts)) fail("no attribute NumPart_ThisFile of six numbers in Header");
        std::size_t type = types;
        for (std::size_t k = 0; k < types; ++k) {
            if (!(counts[k] > 0.0)) continue;
            if (type < types) fail(format("particles of type {} and of type {}, where one is expected", type, k));
            type = k;
        }
        if (type == types) type = 1;
        header_.stars = static_cast<std::size_t>(counts[type]);
        std::array<double, types> masses{};
        if (numbers(group, "MassTable", masses)) mass_ = masses[type];
        if (units) {
            header_.units = *units;
        } else {
            header_.units = text(group, "Units").empty() ? stated(units, path) : units_by_name(text(group, "Units"));
            scalar(group, "GravitationalConstant", header_.units.gravitational_constant);
        }
        double binaries = 0.0;
        scalar(group, "NumBinaries", binaries);
        header_.binaries = static_cast<std::size_t>(binaries);
        scalar(group, "VirialRadius_pc", header_.length_unit_pc);
        scalar(group, "MeanMass_Msun", header_.mean_mass_msun);
        header_.description = text(group, "Description");
        if (header_.stars == 0) return;
        const std::string part = format("PartType{}/", type);
        positions_ = dataset(part + "Coordinates", 3);
        velocities_ = dataset(part + "Velocities", 3);
        if (!(mass_ > 0.0)) masses_ = dataset(part + "Masses", 1);
    }

    [[nodiscard]] const SnapshotHeader& header() const override { return header_; }

    bool read(Stars& block) override {
        block.resize(0);
        const std::size_t count = std::min(snapshot_block, header_.stars - done_);
        if (count == 0) return false;
        std::vector<double> positions(3 * count);
        std::vector<double> velocities(3 * count);
        std::vector<double> masses(count, mass_);
        get(positions_, count, 3, positions.data());
        get(velocities_, count, 3, velocities.data());
        if (masses_.valid()) get(masses_, count, 1, masses.data());
        for (std::size_t i = 0; i < count; ++i)
            append_row(block,
                       {masses[i], positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], velocities[3 * i],
                        velocities[3 * i + 1], velocities[3 * i + 2]},
                       format("{}: row {}", path_, done_ + i + 1));
        done_ += count;
        return true;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw DataError(format("{}: {} (not a Gadget snapshot that can be read): name another file", path_, what));
    }
    static bool numbers(hid_t group, const char* name, std::array<double, types>& values) {
        const Handle attribute(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
        if (!attribute.valid()) return false;
        const Handle space(H5Aget_space(attribute), H5Sclose);
        return H5Sget_simple_extent_npoints(space) == types && H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()) >= 0;
    }
    static void scalar(hid_t group, const char* name, double& value) {
        const Handle attribute(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
        if (!attribute.valid()) return;
        const Handle space(H5Aget_space(attribute), H5Sclose);
        if (H5Sget_simple_extent_npoints(space) == 1) H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
    }
    static std::string text(hid_t group, const char* name) {
        const Handle attribute(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
        if (!attribute.valid()) return "";
        const Handle type(H5Aget_type(attribute), H5Tclose);
        if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) return "";
        std::string value(H5Tget_size(type), '\0');
        H5Aread(attribute, type, value.data());
        return value.substr(0, value.find('\0'));
    }
    [[nodiscard]] Handle dataset(const std::string& name, hsize_t width) const {
        Handle found(H5Dopen2(hdf5_, name.c_str(), H5P_DEFAULT), H5Dclose);
        if (!found.valid()) fail("no dataset " + name);
        const Handle space(H5Dget_space(found), H5Sclose);
        std::array<hsize_t, 2> shape{0, 1};
        const int rank = H5Sget_simple_extent_ndims(space);
        if (rank < 1 || rank > 2) fail(name + " has another shape than a table");
        H5Sget_simple_extent_dims(space, shape.data(), nullptr);
        if (shape[0] != header_.stars || shape[1] != width)
            fail(format("{} has {} x {} values where the header says {} x {}", name, shape[0], shape[1], header_.stars, width));
        return found;
    }
    void get(const Handle& from, hsize_t count, hsize_t width, double* values) const {
        const Handle space(H5Dget_space(from), H5Sclose);
        const std::array<hsize_t, 2> start{done_, 0};
        const std::array<hsize_t, 2> shape{count, width};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr);
        const Handle memory(H5Screate_simple(width > 1 ? 2 : 1, shape.data(), nullptr), H5Sclose);
        if (H5Dread(from, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) < 0) fail("its data cannot be read");
    }

    std::string path_;
    SnapshotHeader header_;
    Handle hdf5_, positions_, velocities_, masses_;
    double mass_ = 0.0;
    std::size_t done_ = 0;
};

}  // namespace

std::unique_ptr<StarSink> gadget_sink(const std::string& path, const std::string&, const SnapshotHeader& header) {
    return std::make_unique<GadgetSink>(path, header);
}

std::unique_ptr<StarSource> gadget_source(const std::string& path, const std::string&, const std::optional<Units>& units) {
    return std::make_unique<GadgetSource>(path, units);
}

}  // namespace aliquot::cluster::detail
