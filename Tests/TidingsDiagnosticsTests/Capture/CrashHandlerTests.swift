// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

// The thread sanitizer has its own handlers and stops the process before these handlers run.
#if !THREAD_SANITIZER
/// The reports of the signal handler, read by another process.
@Suite(.timeLimit(.minutes(15)))
struct CrashHandlerTests {
    struct Turn: Sendable {
        let thread: CrashWay.ThreadKind
        let round: Int
    }

    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test(
        arguments: CrashWay.allCases,
        CrashWay.ThreadKind.allCases.flatMap { thread in
            (1...CrashRounds.few).map { Turn(thread: thread, round: $0) }
        }
    )
    func r21_eachKindOfCrashGivesOneReportWithTheFunction(
        _ way: CrashWay,
        _ turn: Turn
    ) async throws {
        let kind = turn.thread
        await #expect(processExitsWith: .signal(way.signal)) {
            [
                path = fixture.folder.path as String, way = way as CrashWay,
                kind = kind as CrashWay.ThreadKind
            ]
            in
            try CrashFixture.arm(path)
            await crash(way, on: kind)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect(capture.signal?.number == way.signal)
        #expect(try fixture.capture(1) == nil)
        if way == .kill {
            // The system chooses the thread for a signal from outside.
            #expect(capture.signal?.sender == capture.signal?.process)
            return
        }
        let report = fixture.report(capture)
        let function = try #require(
            report.frames.first { $0.function?.hasPrefix("crashOnPurpose(_:_:)") == true },
            "\(report.frames)"
        )
        #expect(function.file?.hasSuffix("/CrashWay.swift") == true && !function.isSystem)
        #expect(function.line.map { way.lines.contains($0) } == true, "\(function)")
        #expect(function.kind != .scanned)
        #expect(report.images.contains { $0.buildID?.count == 40 })
        #expect(!report.frames.contains { $0.file?.contains("<compiler-generated>") == true })
        #expect(report.frames.contains { $0.function?.hasPrefix("callCrash") == true })
        let counter = report.crash?.registers["rip"] ?? report.crash?.registers["pc"]
        #expect(counter != nil && counter == report.frames.first?.address)
        if way == .badPointer { #expect(capture.signal?.address == 16) }
        #expect((capture.signal?.thread == capture.signal?.process) == (kind == .main))
    }

    @Test(arguments: [0, 1, 3])
    func everyMethodOfReadingMemoryGivesTheSameReport(_ refused: Int) async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = fixture.folder.path as String, refused = refused as Int] in
            try CrashFixture.arm(path, refusing: UInt32(refused))
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect(capture.frames.count > 2 && capture.candidates.count > 2)
    }

    @Test(arguments: 1...CrashRounds.many)
    func r3_ofThreadsThatCrashAtOnceOneWritesAWholeReport(_ round: Int) async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            for _ in 0..<8 { Thread.detachNewThread { _ = crashOnPurpose(.badPointer, 1) } }
            await waitForEnd()
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect(fixture.report(capture).has("crashOnPurpose"))
        #expect(try fixture.capture(1) == nil)
    }

    @Test func r5_anEarlierHandlerIsCalledAndTheProcessEndsByTheSignal() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            let file = open("\(path)/earlier", O_RDWR | O_CREAT, 0o600)
            dup2(file, 200)
            signal(SIGSEGV) { _ in _ = write(200, "called", 6) }
            try CrashFixture.arm(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try fixture.capture()?.isComplete == true)
        #expect(try fixture.folder.text(of: "earlier") == "called")
    }

    @Test func r4_aCrashOfTheHandlerEndsTheProcessAndKeepsThePartialReport() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            // The buffer for the standard error is at an unmapped address.
            try CrashFixture.arm(path, text: UnsafeMutableRawPointer(bitPattern: 4_096))
            _ = crashOnPurpose(.fatalError, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isTruncated && !capture.isComplete)
        #expect(capture.signal?.number == CrashWay.fatalError.signal)
        #expect(!capture.registers.isEmpty)
    }

    @Test func r21_aThreadWithASignalStackReportsAStackOverflow() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            Thread.detachNewThread {
                CrashFixture.installSignalStack()
                _ = overflow(1)
            }
            await waitForEnd()
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete)
        #expect(capture.frames.count == 256)
        #expect(fixture.report(capture).has("overflow"))
    }

    @Test func theTextOfTheStandardErrorIsKeptAndForwarded() async throws {
        let result = await #expect(
            processExitsWith: .signal(CrashWay.fatalError.signal),
            observing: [\.standardErrorContent]
        ) { [path = fixture.folder.path as String] in
            try CrashFixture.arm(path, redirectsStandardError: true)
            for number in 1...200 {
                try FileHandle.standardError.write(contentsOf: Data("line \(number)\n".utf8))
            }
            _ = crashOnPurpose(.fatalError, 1)
        }
        let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(printed.contains("line 1\n") && printed.contains("The text of the error."))
        let capture = try #require(try fixture.capture())
        let kept = String(decoding: capture.text, as: UTF8.self)
        #expect(kept.contains("line 200\n") && kept.contains("Fatal error: The text of the error."))
        #expect(printed.contains(kept))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func r7_anEndByASignalLeavesItsMark(_ signal: Int32) async throws {
        await #expect(processExitsWith: .signal(signal)) {
            [path = fixture.folder.path as String, signal = signal as Int32] in
            try CrashFixture.arm(path, marksEnd: true)
            kill(getpid(), signal)
            await waitForEnd()
        }
        #expect(try fixture.end == [2, UInt8(signal), 0, 0])
        #expect(try fixture.capture() == nil)
    }

    @Test func r2_aReportThatHasNoRoomIsTruncatedAndTheProcessEnds() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            var limit = rlimit(rlim_cur: 600, rlim_max: 600)
            signal(SIGXFSZ, SIG_IGN)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isTruncated && capture.signal?.number == SIGSEGV)
    }
}
#endif
