// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Synchronization
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// Whatever the memory of a program looks like, the handler looks at little of it and ends.
@Suite(.timeLimit(.minutes(5)))
struct CrashBoundsTests {
    /// What is on a stack beside addresses of code: nobody's business.
    private static let secret = "secret: "

    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
    }

    @Test func promise2_ofFramesWithoutEnd256AreStored() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            try CrashPlace.arm(path)
            let (stack, code) = (StrangeMemory.map(100), StrangeMemory.returnAddress())
            for frame in 0..<5_000 {
                let place = stack + 4_096 + UInt(64 * frame)
                StrangeMemory.store([place + 64, code], at: place)
            }
            await StrangeMemory.crash(stack: stack + 2_048, frame: stack + 4_096)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isLate && capture.frames.count == 256)
    }

    /// Frames that lead to each other, to themselves, and contexts of tasks that do.
    @Test(arguments: [0, 1, 2])
    func promise2_framesThatLeadBackEnd(_ way: Int) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = place.folder.path as String, way = way as Int] in
            try CrashPlace.arm(path)
            let (stack, code) = (StrangeMemory.map(4), StrangeMemory.returnAddress())
            let (one, other) = (stack + 4_096, stack + 8_192)
            switch way {
            case 0:
                StrangeMemory.store([other, code], at: one)
                StrangeMemory.store([one, code], at: other)
            case 1:
                StrangeMemory.store([one, code], at: one)
            default:
                // The bit of an asynchronous function, with its context before it.
                StrangeMemory.store([other, 0 | 1 << 60, code], at: one - 8)
                StrangeMemory.store([other + 64, code], at: other)
                StrangeMemory.store([other, code], at: other + 64)
            }
            await StrangeMemory.crash(stack: stack + 2_048, frame: one)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isLate)
        #expect((way == 2 ? 256...256 : 1...3).contains(capture.frames.count))
    }

    @Test(arguments: StrangeMemory.allCases, [0, 1, 3])
    func promise2_whatCannotBeReadEndsNothing(
        _ memory: StrangeMemory,
        _ refused: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [
                path = place.folder.path as String, memory = memory as StrangeMemory,
                refused = refused as Int
            ]
            in
            try CrashPlace.arm(path, refusing: UInt32(refused))
            let strange = memory.address(in: path)
            // A frame that can be read leads to one that cannot; nor can the stack.
            let frame = StrangeMemory.map(1)
            StrangeMemory.store([strange, StrangeMemory.returnAddress()], at: frame)
            let next = strange > frame && strange - frame < 64 << 20 ? frame : strange
            await StrangeMemory.crash(stack: strange, frame: next)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect((1...2).contains(capture.frames.count) && capture.candidates.count <= 1)
        #expect(capture.mappings.count > 1 && !capture.registers.isEmpty)
    }

    @Test func promise2_of64KiBOfStackTheFirst32AreReadAndPromise20_onlyCodeIsStored() async throws
    {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = place.folder.path as String, secret = Self.secret as String] in
            try CrashPlace.arm(path)
            let (stack, code) = (StrangeMemory.map(32), StrangeMemory.returnAddress())
            let word = secret.utf8.reversed().reduce(0 as UInt) { $0 << 8 | UInt($1) }
            let start = stack + 4_096
            // One address of code in each 512 bytes; everything else is the program's own.
            for index in 0..<8_192 {
                StrangeMemory.store([index % 64 == 7 ? code : word], at: start + UInt(8 * index))
            }
            await StrangeMemory.crash(stack: start, frame: 0)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && capture.candidates.count == 64)
        #expect(Set(capture.candidates).count == 1)
        let bytes = try Data(contentsOf: URL(filePath: "\(place.folder.path)/0"))
        #expect(bytes.range(of: Data(Self.secret.utf8)) == nil)
    }

    @Test func promise2_aStackThatEndsSoonIsReadToItsEnd() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            try CrashPlace.arm(path)
            let end = StrangeMemory.cutOff.address(in: path) + 8
            let code = StrangeMemory.returnAddress()
            for word in 1...128 { StrangeMemory.store([code], at: end - UInt(8 * word)) }
            await StrangeMemory.crash(stack: end - 1_024, frame: 0)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && capture.candidates.count == 128)
    }

    /// A file with a long name, mapped so often that to look at it takes longer than allowed.
    @Test func promise2_itStopsAfterATenthOfASecondAnd256KiB() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            let file = open("\(path)/time", O_RDWR | O_CREAT, 0o600)
            dup2(file, 200)
            signal(SIGSEGV) { _ in Self.writeTime() }
            try CrashPlace.arm(path, leadsStandardError: true)
            CrashPlace.say(String(repeating: "text ", count: 4_000))
            try StrangeMemory.mapOften(40_000, in: path)
            Self.begun.store(Self.time(of: CLOCK_THREAD_CPUTIME_ID), ordering: .relaxed)
            Self.begunByTheClock.store(Self.time(of: CLOCK_MONOTONIC), ordering: .relaxed)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && capture.isLate && capture.signal?.number == SIGSEGV)
        #expect(!capture.registers.isEmpty && capture.text.count > 1_000)
        let size = try FileManager.default.attributesOfItem(atPath: "\(place.folder.path)/0")[.size]
        #expect(size as? Int == 256 << 10)
        let times = try place.folder.text(of: "time").split(separator: " ").compactMap {
            Double($0)
        }
        let (time, byTheClock) = (try #require(times.first), try #require(times.last))
        // On a busy machine the second by the clock can come before a tenth of the processor's.
        #expect(time < 0.3 && (time >= 0.09 || byTheClock >= 0.95), "\(times) s")
    }

    private static let begun = Atomic<UInt64>(0)
    private static let begunByTheClock = Atomic<UInt64>(0)

    private static func time(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func writeTime() {
        let work = time(of: CLOCK_THREAD_CPUTIME_ID) - begun.load(ordering: .relaxed)
        let all = time(of: CLOCK_MONOTONIC) - begunByTheClock.load(ordering: .relaxed)
        let text = Array("\(Double(work) / 1e9) \(Double(all) / 1e9)".utf8)
        _ = write(200, text, text.count)
    }
}
#endif
