// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// What a start sets up, in processes of their own: there is one handler.
@Suite(.timeLimit(.minutes(5)))
struct CrashCaptureTests {
    /// Never gets to know what is loaded.
    private struct StuckSymbolicator: Symbolicator {
        func captureImages() -> ImageList {
            while true { pause() }
        }

        func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] { [] }
    }

    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
    }

    @Test func promise6_theFilesForReportsHaveTheirSpaceFromTheStart() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            let sut = try CrashPlace.start(path)
            try #require(sut.status.isOn && sut.status.problems.isEmpty)
            sut.waitForImages()
            exit(0)
        }
        for name in ["0", "1"] {
            var facts = stat()
            #expect(stat("\(place.folder.path)/\(name)", &facts) == 0)
            #expect(facts.st_size == 256 << 10 && facts.st_blocks * 512 >= 256 << 10)
            #expect(facts.st_mode & 0o777 == 0o600)
        }
        let images = try Data(contentsOf: URL(filePath: "\(place.folder.path)/images"))
        #expect(try JSONDecoder().decode(ImageList.self, from: images).images.count > 5)
    }

    @Test func promise6_aStartWithoutRoomSaysWhatToDo() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 60_000, rlim_max: 60_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let problems = try CrashPlace.start(path).status.problems
            try #require(problems.map(\.part) == [.reportFile, .reportFile])
            try #require(problems[0].message.contains("Free 512 KiB where \(path)/0 is"))
            exit(0)
        }
    }

    @Test func promise6_aStartWithoutAFolderSaysSoAndMarksTheEndOfARunAllTheSame() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            let nowhere = CrashCapture.Places(
                reports: ["\(path)/no/0", "\(path)/no/1"],
                images: "\(path)/no/images"
            )
            let sut = CrashCapture.start(in: nowhere, endMark: try CrashPlace.mark(path))
            sut.waitForImages()
            let parts = sut.status.problems.map(\.part)
            try #require(parts == [.reportFile, .reportFile, .images] && sut.status.isOn)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try place.end == [2, UInt8(SIGSEGV), 0, 0])
    }

    @Test func promise21_theMainThreadReportsThatItsStackIsFull() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            MainThread.run {
                _ = try? CrashPlace.start(path)
                _ = overflow(1)
            }
            await theEnd()
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && capture.frames.count == 256)
        #expect(capture.signal?.thread == capture.signal?.process)
        #expect(place.report(capture).has("overflow"))
    }

    @Test func promise21_aRegisteredThreadReportsThatItsStackIsFull() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            let sut = try CrashPlace.start(path)
            Thread.detachNewThread {
                sut.registerThread()
                _ = overflow(1)
            }
            await theEnd()
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && place.report(capture).has("overflow"))
    }

    @Test func aCrashBeforeItIsKnownWhatIsLoadedHasItsFunctions() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            _ = try CrashPlace.start(path, symbolicator: StuckSymbolicator())
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(!place.folder.names.contains("images"))
        #expect(place.report(try #require(try place.capture())).has("crashOnPurpose"))
    }

    @Test func promise21_theRuntimesTextIsTheReason() async throws {
        await #expect(processExitsWith: .signal(CrashWay.fatalError.signal)) {
            [path = place.folder.path as String] in
            let sut = try CrashPlace.start(path, capturesStandardError: true)
            try #require(sut.status.capturesStandardError)
            _ = crashOnPurpose(.fatalError, 1)
        }
        let crash = place.report(try #require(try place.capture())).crash
        #expect(crash?.reason == "Fatal error: The text of the error.")
        #expect(crash?.text?.contains("The text of the error.") == true)
    }

    @Test(arguments: [0, SIGTERM])
    func whatIsWrittenRightBeforeTheEndArrives(_ signal: Int32) async throws {
        let result = await #expect(
            processExitsWith: signal == 0 ? .exitCode(0) : .signal(signal),
            observing: [\.standardErrorContent]
        ) { [path = place.folder.path as String, signal = signal as Int32] in
            CrashCapture.marksCleanAtExit()
            _ = try CrashPlace.start(path, capturesStandardError: true)
            // At once, and nearly as much as a pipe holds: nobody has passed it on so soon.
            CrashPlace.say((1...6_000).map { "line \($0)\n" }.joined())
            if signal == 0 { exit(0) }
            kill(getpid(), signal)
            await theEnd()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("line 1\n") && text.contains("line 6000\n"))
    }

    @Test func promise2_aStandardErrorThatNobodyReadsDoesNotHoldTheEndUp() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            let full = try SystemPipe()
            _ = fcntl(full.input, F_SETFL, O_NONBLOCK)
            while write(full.input, "full", 4) > 0 {}
            _ = fcntl(full.input, F_SETFL, 0)
            dup2(full.input, STDERR_FILENO)
            _ = try CrashPlace.start(path, capturesStandardError: true)
            for number in 1...500 { CrashPlace.say("line \(number)\n") }
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete)
        #expect(String(decoding: capture.text, as: UTF8.self).hasSuffix("line 500\n"))
    }

    @Test func promise7_anExitIsAnEndByItself() async throws {
        await #expect(processExitsWith: .exitCode(4)) { [path = place.folder.path as String] in
            CrashCapture.marksCleanAtExit()
            _ = try CrashPlace.start(path)
            exit(4)
        }
        #expect(try place.end == [1, 0, 0, 0])
        #expect(PreviousRun(place.crashes, end: .clean) == .clean)
    }
}
#endif
