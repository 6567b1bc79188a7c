// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Unusual memory for the handler to read.
enum StrangeMemory: String, CaseIterable, Codable, Sendable {
    /// An unmapped address.
    case unmapped
    /// A mapped page without any permission.
    case guarded
    /// A mapped page behind the end of a truncated file.
    case behindTheEnd
    /// Eight bytes before the end of the readable memory.
    case cutOff
    /// An address outside of the user address space.
    case outside

    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Creates such memory and returns its address.
    func address(in folder: String) -> UInt {
        switch self {
        case .unmapped:
            // The address is below all addresses that the system assigns automatically.
            return 0x2000_0000
        case .guarded:
            let place = Self.map(1)
            mprotect(UnsafeMutableRawPointer(bitPattern: place), Self.page, PROT_NONE)
            return place
        case .cutOff:
            let place = Self.map(2) + UInt(Self.page)
            mprotect(UnsafeMutableRawPointer(bitPattern: place), Self.page, PROT_NONE)
            return place - 8
        case .behindTheEnd:
            let file = open("\(folder)/short", O_RDWR | O_CREAT, 0o600)
            ftruncate(file, off_t(2 * Self.page))
            let place = Self.map(2, file: file) + UInt(Self.page)
            ftruncate(file, off_t(Self.page))
            return place
        case .outside:
            return UInt.max - 0xFFF
        }
    }

    /// Maps pages, which belong to a file if one is given.
    static func map(_ pages: Int, file: Int32 = -1) -> UInt {
        let flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED
        let memory = mmap(nil, pages * page, PROT_READ | PROT_WRITE, flags, file, 0)
        return UInt(bitPattern: memory)
    }

    /// Returns an executable address that follows a call instruction.
    static func returnAddress() -> UInt {
        let start = map(1)
        let place = start + 64
        let memory = UnsafeMutableRawPointer(bitPattern: place)
        #if arch(x86_64)
        // The instruction is a call of the next instruction.
        memory?.storeBytes(of: 0xE8, as: UInt8.self)
        let size: UInt = 5
        #else
        memory?.storeBytes(of: 0x9400_0001, as: UInt32.self)
        let size: UInt = 4
        #endif
        mprotect(UnsafeMutableRawPointer(bitPattern: start), page, PROT_READ | PROT_EXEC)
        return place + size
    }

    /// Stores consecutive words.
    static func store(_ words: [UInt], at place: UInt) {
        let memory = UnsafeMutableRawPointer(bitPattern: place)
        for (index, word) in words.enumerated() {
            memory?.storeBytes(of: word, toByteOffset: 8 * index, as: UInt.self)
        }
    }

    /// Maps a file with a long name as code `count` times, so that listing the mappings takes long.
    static func mapOften(_ count: Int, in folder: String) throws {
        var path = folder
        while path.utf8.count < 3_700 {
            path += "/" + String(repeating: "d", count: 250)
            mkdir(path, 0o700)
        }
        path += "/f"
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        try #require(file >= 0 && ftruncate(file, 4_096) == 0)
        for _ in 0..<count {
            let memory = mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0)
            try #require(memory != MAP_FAILED)
        }
    }

    /// Crashes on a thread with these registers.
    static func crash(stack: UInt, frame: UInt) async {
        Thread.detachNewThread {
            CrashFixture.installSignalStack()
            RawCalls.enter(counter: 16, stack: stack, frame: frame)
        }
        await waitForEnd()
    }
}
