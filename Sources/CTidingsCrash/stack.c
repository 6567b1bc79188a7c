// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

/// The origin of a code address.
enum { FRAME_COUNTER = 0, FRAME_RETURN = 1, FRAME_RESUMES = 2 };

struct frame {
    uint64_t address;
    uint64_t kind;
};

static struct frame frames[FRAME_LIMIT];
static uint32_t frame_count;

static uint32_t frame_limit;

static void add(uint64_t address, uint64_t kind) {
    if (frame_count < frame_limit) frames[frame_count++] = (struct frame){address, kind};
}

#if defined(__x86_64__)

enum { ARCHITECTURE = 1 };

struct crash_place crash_place_of(const ucontext_t *context) {
    const greg_t *registers = context->uc_mcontext.gregs;
    return (struct crash_place){
        .counter = (uint64_t)registers[REG_RIP],
        .stack = (uint64_t)registers[REG_RSP],
        .frame = (uint64_t)registers[REG_RBP],
    };
}

static uint32_t copy_registers(const ucontext_t *context, uint64_t *to) {
    const greg_t *registers = context->uc_mcontext.gregs;
    static const int order[] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_EFL,
    };
    uint32_t count = sizeof order / sizeof *order;
    for (uint32_t index = 0; index < count; index++) to[index] = (uint64_t)registers[order[index]];
    return count;
}

/// Whether a call instruction precedes an address: E8 with four bytes, or FF /2 with one to six.
static bool follows_call(uint64_t address) {
    uint8_t bytes[7];
    if (!crash_memory_read(address - sizeof bytes, bytes, sizeof bytes)) return false;
    if (bytes[2] == 0xe8) return true;
    for (uint32_t length = 2; length <= 7; length++) {
        uint32_t start = 7 - length;
        if (bytes[start] == 0xff && (bytes[start + 1] >> 3 & 7) == 2) return true;
    }
    return false;
}

#elif defined(__aarch64__)

enum { ARCHITECTURE = 2 };

struct crash_place crash_place_of(const ucontext_t *context) {
    return (struct crash_place){
        .counter = context->uc_mcontext.pc,
        .stack = context->uc_mcontext.sp,
        .frame = context->uc_mcontext.regs[29],
        .link = context->uc_mcontext.regs[30],
    };
}

static uint32_t copy_registers(const ucontext_t *context, uint64_t *to) {
    for (uint32_t index = 0; index < 31; index++) to[index] = context->uc_mcontext.regs[index];
    to[31] = context->uc_mcontext.sp;
    to[32] = context->uc_mcontext.pc;
    to[33] = context->uc_mcontext.pstate;
    return 34;
}

/// Whether the instruction before an address is BL or BLR.
static bool follows_call(uint64_t address) {
    uint32_t before;
    if (address % 4 != 0 || !crash_memory_read(address - 4, &before, sizeof before)) return false;
    return (before & 0xfc000000u) == 0x94000000u || (before & 0xfffffc1fu) == 0xd63f0000u;
}

#else
#error "This architecture's registers are not known here."
#endif

void crash_registers_report(const ucontext_t *context) {
    uint64_t values[1 + 34] = {ARCHITECTURE};
    uint32_t count = 1 + copy_registers(context, values + 1);
    crash_report_section(SECTION_REGISTERS, values, count * (uint32_t)sizeof *values);
}

/// Follows the callers of an asynchronous function, which are in contexts rather than on the stack.
///
/// The word before the function's frame points to a context. Each context contains a pointer to the
/// next context, and a continuation.
static void follow_contexts(uint64_t context) {
    uint64_t words[2];
    while (frame_count < frame_limit && crash_report_goes_on()) {
        if (context == 0 || context % 8 != 0) return;
        if (!crash_memory_read(context, words, sizeof words)) return;
        if (!crash_is_code(words[1])) return;
        add(words[1], FRAME_RESUMES);
        if (words[0] == context) return;
        context = words[0];
    }
}

/// A suspended caller of the function in a frame.
struct context {
    uint64_t frame;
    uint64_t address;
};

static struct context contexts[CONTEXT_LIMIT];
static uint32_t context_count;

/// Records the suspended callers of the last frame in case the function is asynchronous.
///
/// Linux does not mark the frames of asynchronous functions. The name of the function decides when
/// the report is made.
static void note_callers(uint64_t frame) {
    uint64_t context, words[2];
    if (!crash_memory_read(frame - 8, &context, sizeof context)) return;
    for (uint32_t depth = 0; depth < CALLER_LIMIT && context_count < CONTEXT_LIMIT; depth++) {
        if (context == 0 || context % 8 != 0) return;
        if (!crash_memory_read(context, words, sizeof words) || !crash_is_code(words[1])) return;
        contexts[context_count++] = (struct context){frame_count - 1, words[1]};
        if (words[0] == context) return;
        context = words[0];
    }
}

void crash_frames_report(struct crash_place place, uint32_t limit) {
    // The bit with which Swift marks the frame of an asynchronous function.
    const uint64_t asynchronous = 1ull << 60;
    frame_limit = limit;
    frame_count = 0;
    context_count = 0;
    add(place.counter, FRAME_COUNTER);
    uint64_t caller;
    if (crash_is_code(place.counter)) {
        if (place.link != 0) add(place.link, FRAME_RETURN);
    } else if (crash_memory_read(place.stack, &caller, sizeof caller) && crash_is_code(caller)) {
        // The address contains no code and was therefore just called through a bad pointer.
        add(caller, FRAME_RETURN);
    }
    uint64_t frame = place.frame;
    while (frame_count < frame_limit && crash_report_goes_on()) {
        uint64_t words[2];
        if (frame == 0 || frame % 8 != 0 || !crash_memory_read(frame, words, sizeof words)) break;
        note_callers(frame);
        bool is_asynchronous = (words[0] & asynchronous) != 0;
        uint64_t next = words[0] & ~asynchronous;
        if (is_asynchronous) {
            uint64_t context;
            if (crash_memory_read(frame - 8, &context, sizeof context)) follow_contexts(context);
            break;
        }
        if (!crash_is_code(words[1])) break;
        // The link register may equal the first frame, but later repetitions are recursion.
        if (frame_count != 2 || place.link != words[1]) add(words[1], FRAME_RETURN);
        // Stacks grow downward, so an address that leads back or far away is not a frame.
        if (next <= frame || next - frame > (64ull << 20)) break;
        frame = next;
    }
    crash_report_section(SECTION_FRAMES, frames, frame_count * (uint32_t)sizeof *frames);
    crash_report_section(SECTION_CONTEXTS, contexts, context_count * (uint32_t)sizeof *contexts);
}

/// The words of the stack from the top, as far as they were read, and whether each word is a
/// possible return address.
static uint64_t words[STACK_LIMIT / 8];
static bool is_call[STACK_LIMIT / 8];
static uint32_t word_count;

/// A place on the stack that contains a frame pointer, and the place of the target frame record.
///
/// Both places are counted in words from the top.
struct link {
    uint16_t from, to;
};

static void read_stack(uint64_t start, uint32_t size) {
    const uint32_t part = 64;
    word_count = 0;
    while (word_count < size / sizeof *words && crash_report_goes_on()) {
        uint64_t address = start + word_count * sizeof *words;
        if (!crash_memory_read(address, words + word_count, part * sizeof *words)) break;
        for (uint32_t index = word_count; index < word_count + part; index++) {
            is_call[index] = crash_is_code(words[index]) && follows_call(words[index]);
        }
        word_count += part;
    }
}

/// Reports the places of the possible return addresses, after the address of the stack's top.
static void report_places(uint64_t start) {
    static struct {
        uint64_t start;
        uint16_t places[CANDIDATE_LIMIT];
    } found;
    uint32_t count = 0;
    found.start = start;
    for (uint32_t index = 0; index < word_count && count < CANDIDATE_LIMIT; index++) {
        if (is_call[index]) found.places[count++] = (uint16_t)index;
    }
    uint32_t size = (uint32_t)(sizeof found.start + count * sizeof *found.places);
    crash_report_section(SECTION_PLACES, &found, size);
}

/// Reports the targets of frame pointers.
///
/// Code without frame records keeps frame pointers among other words, none of which is stored.
static void report_links(uint64_t start) {
    static struct link links[LINK_LIMIT];
    uint32_t count = 0;
    for (uint32_t index = 0; index < word_count && count < LINK_LIMIT; index++) {
        uint64_t distance = words[index] - start;
        if (distance % 8 != 0 || distance / 8 <= index || distance / 8 + 1 >= word_count) continue;
        if (!is_call[distance / 8 + 1]) continue;
        links[count++] = (struct link){(uint16_t)index, (uint16_t)(distance / 8)};
    }
    crash_report_section(SECTION_LINKS, links, count * (uint32_t)sizeof *links);
}

void crash_candidates_report(struct crash_place place, uint32_t size) {
    static uint64_t found[CANDIDATE_LIMIT];
    uint32_t count = 0;
    uint64_t start = place.stack & ~7ull;
    read_stack(start, size);
    for (uint32_t index = 0; index < word_count && count < CANDIDATE_LIMIT; index++) {
        if (is_call[index]) found[count++] = words[index];
    }
    crash_report_section(SECTION_CANDIDATES, found, count * (uint32_t)sizeof *found);
    report_places(start);
    report_links(start);
}

#endif
