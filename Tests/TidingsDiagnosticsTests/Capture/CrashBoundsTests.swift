// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Synchronization
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The limits of the handler, which reads a limited part of memory and finishes.
///
/// The limits hold whatever the memory of a program looks like.
@Suite(.timeLimit(.minutes(15)))
struct CrashBoundsTests {
    /// Data on the stack beside code addresses, which must not be stored.
    private static let secret = "secret: "

    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test func r2_anEndlessFrameChainIsLimitedTo256() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            let (stack, code) = (StrangeMemory.map(100), StrangeMemory.returnAddress())
            for frame in 0..<5_000 {
                let place = stack + 4_096 + UInt(64 * frame)
                StrangeMemory.store([place + 64, code], at: place)
            }
            await StrangeMemory.crash(stack: stack + 2_048, frame: stack + 4_096)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isLate && capture.frames.count == 256)
    }

    /// Frames and task contexts that point to each other or to themselves.
    @Test(arguments: [0, 1, 2])
    func r2_cyclicFrameChainsEnd(_ way: Int) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String, way = way as Int] in
            try CrashFixture.arm(path)
            let (stack, code) = (StrangeMemory.map(4), StrangeMemory.returnAddress())
            let (one, other) = (stack + 4_096, stack + 8_192)
            switch way {
            case 0:
                StrangeMemory.store([other, code], at: one)
                StrangeMemory.store([one, code], at: other)
            case 1:
                StrangeMemory.store([one, code], at: one)
            default:
                // The bit marks an asynchronous function, whose context is in the word before.
                StrangeMemory.store([other, 0 | 1 << 60, code], at: one - 8)
                StrangeMemory.store([other + 64, code], at: other)
                StrangeMemory.store([other, code], at: other + 64)
            }
            await StrangeMemory.crash(stack: stack + 2_048, frame: one)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isLate)
        #expect((way == 2 ? 256...256 : 1...3).contains(capture.frames.count))
    }

    @Test(arguments: StrangeMemory.allCases, [0, 1, 3])
    func r2_unreadableMemoryDoesNotStopTheHandler(
        _ memory: StrangeMemory,
        _ refused: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [
                path = fixture.folder.path as String, memory = memory as StrangeMemory,
                refused = refused as Int
            ]
            in
            try CrashFixture.arm(path, refusing: UInt32(refused))
            let strange = memory.address(in: path)
            // A readable frame points to an unreadable one. The stack is unreadable too.
            let frame = StrangeMemory.map(1)
            StrangeMemory.store([strange, StrangeMemory.returnAddress()], at: frame)
            let next = strange > frame && strange - frame < 64 << 20 ? frame : strange
            await StrangeMemory.crash(stack: strange, frame: next)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect((1...2).contains(capture.frames.count) && capture.candidates.count <= 1)
        #expect(capture.mappings.count > 1 && !capture.registers.isEmpty)
    }

    @Test func r2_of64KiBOfStackTheFirst32AreRead_r20_onlyCodeIsStored() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String, secret = Self.secret as String] in
            try CrashFixture.arm(path)
            let (stack, code) = (StrangeMemory.map(32), StrangeMemory.returnAddress())
            let word = secret.utf8.reversed().reduce(0 as UInt) { $0 << 8 | UInt($1) }
            let start = stack + 4_096
            // There is one code address per 512 bytes, and all other words are data of the program.
            for index in 0..<8_192 {
                StrangeMemory.store([index % 64 == 7 ? code : word], at: start + UInt(8 * index))
            }
            await StrangeMemory.crash(stack: start, frame: 0)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && capture.candidates.count == 64)
        #expect(Set(capture.candidates).count == 1)
        let bytes = try Data(contentsOf: URL(filePath: "\(fixture.folder.path)/0"))
        #expect(bytes.range(of: Data(Self.secret.utf8)) == nil)
    }

    @Test func r2_aShortStackIsReadToItsEnd() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            let end = StrangeMemory.cutOff.address(in: path) + 8
            let code = StrangeMemory.returnAddress()
            for word in 1...128 { StrangeMemory.store([code], at: end - UInt(8 * word)) }
            await StrangeMemory.crash(stack: end - 1_024, frame: 0)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && capture.candidates.count == 128)
    }

    /// Maps a file with a long name so often that listing the mappings exceeds the time limit.
    @Test func r2_itStopsAfterATenthOfASecondAnd256KiB() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            let file = open("\(path)/time", O_RDWR | O_CREAT, 0o600)
            dup2(file, 200)
            signal(SIGSEGV) { _ in Self.writeTime() }
            try CrashFixture.arm(path, redirectsStandardError: true, timeLimit: .zero)
            CrashFixture.writeError(String(repeating: "text ", count: 4_000))
            try StrangeMemory.mapOften(40_000, in: path)
            Self.begun.store(Self.time(of: CLOCK_THREAD_CPUTIME_ID), ordering: .relaxed)
            Self.begunByTheClock.store(Self.time(of: CLOCK_MONOTONIC), ordering: .relaxed)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && capture.isLate && capture.signal?.number == SIGSEGV)
        #expect(!capture.registers.isEmpty && capture.text.count > 1_000)
        let size = try FileManager.default.attributesOfItem(atPath: "\(fixture.folder.path)/0")[
            .size
        ]
        #expect(size as? Int == 256 << 10)
        let times = try fixture.folder.text(of: "time").split(separator: " ").compactMap {
            Double($0)
        }
        let (time, byTheClock) = (try #require(times.first), try #require(times.last))
        // On a busy machine the second of elapsed time can end before the tenth of a second of
        // processor time.
        #expect(time < 0.3 && (time >= 0.09 || byTheClock >= 0.95), "\(times) s")
    }

    @Test func aReportEndsWhenItsTimeHasElapsed() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path, timeLimit: .nanoseconds(1))
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && capture.isLate && capture.signal?.number == SIGSEGV)
        #expect(!capture.registers.isEmpty && capture.frames.count <= 1)
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
