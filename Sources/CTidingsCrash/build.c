// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "crash.h"

#include <elf.h>

// The file may have been replaced after loading, so the build ID is read from the mapped memory.
// The memory is untrusted, so every read may fail and every count has a limit.

#define SEGMENT_LIMIT 32u
#define NOTES_LIMIT 1024u

static uint32_t padded(uint32_t size) { return (size + 3u) & ~3u; }

/// Copies the build ID from notes and returns the number of bytes, or 0 without a build ID.
///
/// A note consists of three numbers, a name and a content. The name and the content are padded to
/// four bytes.
static uint32_t find_build(const uint8_t *notes, uint32_t size, uint8_t *build) {
    static const uint8_t name[] = {'G', 'N', 'U', 0};
    Elf64_Nhdr note;
    uint32_t place = 0;
    while (size - place >= sizeof note) {
        crash_copy(&note, notes + place, sizeof note);
        place += (uint32_t)sizeof note;
        if (note.n_namesz > size || note.n_descsz > size) return 0;
        uint32_t content = place + padded(note.n_namesz);
        uint32_t next = content + padded(note.n_descsz);
        if (next > size) return 0;
        bool is_build = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof name;
        for (uint32_t index = 0; is_build && index < sizeof name; index++) {
            is_build = notes[place + index] == name[index];
        }
        if (is_build && note.n_descsz <= BUILD_LIMIT) {
            crash_copy(build, notes + content, note.n_descsz);
            return note.n_descsz;
        }
        place = next;
    }
    return 0;
}

uint32_t crash_build_read(uint64_t base, uint8_t *build) {
    Elf64_Ehdr head;
    Elf64_Phdr segments[SEGMENT_LIMIT];
    if (!crash_memory_read(base, &head, sizeof head)) return 0;
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', ELFCLASS64};
    for (size_t index = 0; index < sizeof magic; index++) {
        if (head.e_ident[index] != magic[index]) return 0;
    }
    if (head.e_phentsize != sizeof *segments || head.e_phnum > SEGMENT_LIMIT) return 0;
    size_t size = head.e_phnum * sizeof *segments;
    if (!crash_memory_read(base + head.e_phoff, segments, size)) return 0;
    uint64_t first = 0;
    for (uint32_t index = head.e_phnum; index-- > 0;) {
        if (segments[index].p_type == PT_LOAD && segments[index].p_offset == 0) {
            first = segments[index].p_vaddr;
        }
    }
    for (uint32_t index = 0; index < head.e_phnum; index++) {
        uint8_t notes[NOTES_LIMIT];
        const Elf64_Phdr *segment = &segments[index];
        if (segment->p_type != PT_NOTE || segment->p_filesz > sizeof notes) continue;
        uint64_t place = base + segment->p_vaddr - first;
        if (!crash_memory_read(place, notes, segment->p_filesz)) continue;
        uint32_t length = find_build(notes, (uint32_t)segment->p_filesz, build);
        if (length > 0) return length;
    }
    return 0;
}

#endif
