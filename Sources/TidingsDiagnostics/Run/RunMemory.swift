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

/// Memory that is either mapped to a file and outlives the process, or plain.
///
/// The owner guards the memory with a lock. Invariant: `base` points to `count` bytes for the
/// lifetime of the value, and all bytes have disk space, so that a write cannot fail.
struct RunMemory: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let count: Int
    private let isFile: Bool
    private var isPinned = false

    /// Allocates zeroed memory that ends with the process.
    init(count: Int) {
        guard let memory = calloc(count, 1) else { fatalError("Out of memory.") }
        base = memory
        self.count = count
        isFile = false
    }

    /// Creates and maps a file of zeros, readable by the owner only.
    init(at path: String, count: Int) throws(SystemError) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemError("open") }
        defer { close(file) }
        do {
            try FileSpace.allocate(count, for: file)
        } catch {
            unlink(path)
            throw error
        }
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let memory, memory != MAP_FAILED else {
            let failure = SystemError("mmap")
            unlink(path)
            throw failure
        }
        // Locked pages stay in memory, so that a write never waits for the disk to read an evicted
        // page back. If the lock is not permitted, pages can be evicted.
        mlock(memory, count)
        base = memory
        self.count = count
        isFile = true
    }

    deinit {
        guard !isPinned else { return }
        if isFile { munmap(base, count) } else { free(base) }
    }

    /// Returns the address of a word, valid for the lifetime of this value.
    func address(_ offset: Int) -> UInt {
        check(offset, MemoryLayout<UInt64>.size)
        return UInt(bitPattern: base + offset)
    }

    /// Returns an address that stays valid until the process ends.
    ///
    /// After this call the memory is never freed.
    mutating func pin(_ offset: Int) -> UInt {
        check(offset, 0)
        isPinned = true
        return UInt(bitPattern: base + offset)
    }

    func store<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        check(offset, MemoryLayout<Number>.size)
        base.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self,
        at offset: Int
    ) -> Number {
        check(offset, MemoryLayout<Number>.size)
        return Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Stores at most `limit` bytes of a text, without splitting a character, and returns the
    /// number of bytes.
    func store(_ text: String, limit: Int, at offset: Int) -> Int {
        let utf8 = text.utf8
        // A copy of the view's slice takes several times as long.
        let copied = utf8.withContiguousStorageIfAvailable { bytes in
            var size = bytes.count
            if size > limit {
                size = limit
                while size > 0, bytes[size] & 0xC0 == 0x80 { size -= 1 }
            }
            check(offset, size)
            if size > 0, let start = bytes.baseAddress { memcpy(base + offset, start, size) }
            return size
        }
        // The string comes from another language.
        return copied
            ?? store(String(decoding: Array(utf8), as: UTF8.self), limit: limit, at: offset)
    }

    @discardableResult
    func store(_ bytes: some Collection<UInt8>, at offset: Int) -> Int {
        let size = bytes.count
        check(offset, size)
        UnsafeMutableRawBufferPointer(start: base + offset, count: size).copyBytes(from: bytes)
        return size
    }

    func clear(_ count: Int, at offset: Int) {
        check(offset, count)
        memset(base + offset, 0, count)
    }

    func bytes(_ count: Int, at offset: Int) -> [UInt8] {
        check(offset, count)
        return Array(UnsafeRawBufferPointer(start: base + offset, count: count))
    }

    func checksum(_ count: Int, at offset: Int, key: UInt64) -> UInt64 {
        check(offset, count)
        return RunChecksum.of(UnsafeRawBufferPointer(start: base + offset, count: count), key: key)
    }

    @inline(__always)
    private func check(_ offset: Int, _ size: Int) {
        precondition(offset >= 0 && size >= 0 && offset <= count && size <= count - offset)
    }
}
