// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

// A sanitizer has handlers of its own, and stops where these would begin.
#if !THREAD_SANITIZER
/// What the signal handler writes, read by the process that comes after.
@Suite(.timeLimit(.minutes(5)))
struct CrashHandlerTests {
    struct Turn: Sendable {
        let place: CrashWay.Place
        let round: Int
    }

    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
    }

    @Test(
        arguments: CrashWay.allCases,
        CrashWay.Place.allCases.flatMap { place in
            (1...CrashRounds.few).map { Turn(place: place, round: $0) }
        }
    )
    func promise21_eachWayGivesOneReportWithTheFunction(
        _ way: CrashWay,
        _ turn: Turn
    ) async throws {
        let kind = turn.place
        await #expect(processExitsWith: .signal(way.signal)) {
            [
                path = place.folder.path as String, way = way as CrashWay,
                kind = kind as CrashWay.Place
            ]
            in
            try CrashPlace.arm(path)
            await crash(way, on: kind)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect(capture.signal?.number == way.signal)
        #expect(try place.capture(1) == nil)
        if way == .kill {
            // The system chooses the thread that takes a signal from outside.
            #expect(capture.signal?.sender == capture.signal?.process)
            return
        }
        let report = place.report(capture)
        let function = try #require(
            report.frames.first { $0.function?.hasPrefix("crashOnPurpose(_:_:)") == true },
            "\(report.frames)"
        )
        #expect(function.file?.hasSuffix("/CrashWay.swift") == true && !function.isSystem)
        #expect(function.line.map { way.lines.contains($0) } == true, "\(function)")
        #expect(function.kind == .scanned || !way.isInLibrary)
        #expect(report.images.contains { $0.buildID?.count == 40 })
        #expect(!report.frames.contains { $0.file?.contains("<compiler-generated>") == true })
        #expect(report.frames.contains { $0.function?.hasPrefix("callCrash") == true })
        let counter = report.crash?.registers["rip"] ?? report.crash?.registers["pc"]
        #expect(counter != nil && counter == report.frames.first?.address)
        if way == .badPointer { #expect(capture.signal?.address == 16) }
        #expect((capture.signal?.thread == capture.signal?.process) == (kind == .main))
    }

    @Test(arguments: [0, 1, 3])
    func everyWayOfReadingMemoryGivesTheSameReport(_ refused: Int) async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = place.folder.path as String, refused = refused as Int] in
            try CrashPlace.arm(path, refusing: UInt32(refused))
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect(capture.frames.count > 2 && capture.candidates.count > 2)
    }

    @Test(arguments: 1...CrashRounds.many)
    func promise3_ofThreadsThatCrashAtOnceOneWritesAWholeReport(_ round: Int) async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = place.folder.path as String] in
            try CrashPlace.arm(path)
            for _ in 0..<8 { Thread.detachNewThread { _ = crashOnPurpose(.badPointer, 1) } }
            await theEnd()
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect(place.report(capture).has("crashOnPurpose"))
        #expect(try place.capture(1) == nil)
    }

    @Test func promise5_anEarlierHandlerIsCalledAndTheProcessEndsByTheSignal() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            let file = open("\(path)/earlier", O_RDWR | O_CREAT, 0o600)
            dup2(file, 200)
            signal(SIGSEGV) { _ in _ = write(200, "called", 6) }
            try CrashPlace.arm(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try place.capture()?.isComplete == true)
        #expect(try place.folder.text(of: "earlier") == "called")
    }

    @Test func promise4_aCrashOfTheHandlerEndsTheProcessAndLeavesWhatWasWritten() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            // The text of the standard error lies where nothing is.
            try CrashPlace.arm(path, text: UnsafeMutableRawPointer(bitPattern: 4_096))
            _ = crashOnPurpose(.fatalError, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isTruncated && !capture.isComplete)
        #expect(capture.signal?.number == CrashWay.fatalError.signal)
        #expect(!capture.registers.isEmpty)
    }

    @Test func promise21_aThreadWithAStackForSignalsReportsThatItsOwnIsFull() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            try CrashPlace.arm(path)
            Thread.detachNewThread {
                CrashPlace.giveThreadAStackForSignals()
                _ = overflow(1)
            }
            await theEnd()
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete)
        #expect(capture.frames.count == 256)
        #expect(place.report(capture).has("overflow"))
    }

    @Test func theTextOfTheStandardErrorIsKeptAndPassedOn() async throws {
        let result = await #expect(
            processExitsWith: .signal(CrashWay.fatalError.signal),
            observing: [\.standardErrorContent]
        ) { [path = place.folder.path as String] in
            try CrashPlace.arm(path, leadsStandardError: true)
            for number in 1...200 {
                try FileHandle.standardError.write(contentsOf: Data("line \(number)\n".utf8))
            }
            _ = crashOnPurpose(.fatalError, 1)
        }
        let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(printed.contains("line 1\n") && printed.contains("The text of the error."))
        let capture = try #require(try place.capture())
        let kept = String(decoding: capture.text, as: UTF8.self)
        #expect(kept.contains("line 200\n") && kept.contains("Fatal error: The text of the error."))
        #expect(printed.contains(kept))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func promise7_anEndByASignalLeavesItsMark(_ signal: Int32) async throws {
        await #expect(processExitsWith: .signal(signal)) {
            [path = place.folder.path as String, signal = signal as Int32] in
            try CrashPlace.arm(path, marksEnd: true)
            kill(getpid(), signal)
            await theEnd()
        }
        #expect(try place.end == [2, UInt8(signal), 0, 0])
        #expect(try place.capture() == nil)
    }

    @Test func promise2_aReportThatHasNoRoomIsTruncatedAndTheProcessEnds() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            try CrashPlace.arm(path)
            var limit = rlimit(rlim_cur: 600, rlim_max: 600)
            signal(SIGXFSZ, SIG_IGN)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isTruncated && capture.signal?.number == SIGSEGV)
    }
}
#endif
