// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Disk space that is reserved for a file, regardless of later writes to the disk.
enum FileSpace {
    /// Extends a file to `count` bytes of zeros, all backed by disk space.
    static func allocate(_ count: Int, for file: CInt) throws(SystemError) {
        var limit = rlimit()
        #if canImport(Glibc)
        let result = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
        let result = getrlimit(RLIMIT_FSIZE, &limit)
        #endif
        // Writing beyond this limit would raise a fatal signal.
        if result == 0, limit.rlim_cur < rlim_t(count) { try fail(EFBIG) }
        #if canImport(Darwin)
        var store = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL),
            fst_posmode: F_PEOFPOSMODE,
            fst_offset: 0,
            fst_length: off_t(count),
            fst_bytesalloc: 0
        )
        guard fcntl(file, F_PREALLOCATE, &store) == 0 else { throw SystemError("fcntl") }
        guard ftruncate(file, off_t(count)) == 0 else { throw SystemError("ftruncate") }
        #else
        var number: CInt
        repeat { number = posix_fallocate(file, 0, off_t(count)) } while number == EINTR
        switch number {
        case 0: return
        case EOPNOTSUPP, EINVAL, ENOSYS: try fill(count, of: file)
        default: try fail(number)
        }
        #endif
    }

    /// Writes zeros, as the fallback for file systems that cannot allocate.
    private static func fill(_ count: Int, of file: CInt) throws(SystemError) {
        let zeroes = [UInt8](repeating: 0, count: 64 << 10)
        var offset = 0
        while offset < count {
            let written = pwrite(file, zeroes, min(zeroes.count, count - offset), off_t(offset))
            if written > 0 {
                offset += written
            } else if written == 0 || errno != EINTR {
                throw SystemError("pwrite")
            }
        }
    }

    private static func fail(_ number: CInt) throws(SystemError) -> Never {
        errno = number
        throw SystemError("posix_fallocate")
    }
}
