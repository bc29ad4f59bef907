# aliquot_add_kernels(TARGET FILE...): compile each kernel file once per instruction-set level.
# A kernel file wraps everything in namespace aliquot::ALIQUOT_ISA and includes kernel headers only: a std template instantiated
# here under -march=x86-64-v4 could be the copy that the linker keeps for everybody (scripts/check-kernels looks for such symbols).
set(ALIQUOT_ISA_LEVELS baseline v3 v4)
set(ALIQUOT_ISA_FLAGS_baseline -march=x86-64)
set(ALIQUOT_ISA_FLAGS_v3 -march=x86-64-v3)
set(ALIQUOT_ISA_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)

function(aliquot_add_kernels target)
  foreach(level IN LISTS ALIQUOT_ISA_LEVELS)
    set(object ${target}_kernels_${level})
    add_library(${object} OBJECT ${ARGN})
    target_include_directories(${object} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${object} PRIVATE ALIQUOT_ISA=${level} ALIQUOT_ISA_${level}=1)
    target_compile_options(${object} PRIVATE ${ALIQUOT_ISA_FLAGS_${level}} -O3 -fopenmp-simd -fno-exceptions)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
endfunction()
