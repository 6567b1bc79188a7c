// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Synchronization
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// A crash beside a stop has a whole report, or goes where it would have gone without a capture.
@Suite(.timeLimit(.minutes(5)))
struct CrashDisarmTests {
    private static let calls = Atomic(0)
    private static let isReady = Atomic(false)

    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
    }

    @Test func afterAStopAHandlerThatStillCallsThisOneGoesOnAsBefore() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            signal(SIGSEGV) { _ in Self.calls.add(1, ordering: .relaxed) }
            let sut = try CrashPlace.start(path)
            var action = sigaction()
            // Keeps the one before, and calls it.
            action.__sigaction_handler.sa_sigaction = { signal, info, context in
                let earlier = Later.earlier.load(ordering: .relaxed)
                unsafeBitCast(earlier, to: Later.Handler.self)(signal, info, context)
            }
            action.sa_flags = SA_SIGINFO
            var earlier = sigaction()
            sigaction(SIGSEGV, &action, &earlier)
            let handler = unsafeBitCast(earlier.__sigaction_handler.sa_handler, to: Int.self)
            Later.earlier.store(handler, ordering: .relaxed)
            sut.stop()
            for _ in 0..<200 { raise(SIGSEGV) }
            _exit(Self.calls.load(ordering: .relaxed) == 200 ? 0 : 1)
        }
        #expect(try place.capture() == nil)
    }

    /// Files that are opened after a stop have the numbers of those that were closed.
    @Test(arguments: 1...CrashRounds.few)
    func aCrashBesideAStopIsWholeOrNone(_ round: Int) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = place.folder.path as String, round = round as Int] in
            let sut = try CrashPlace.start(path)
            sut.waitForImages()
            Thread.detachNewThread {
                while !Self.isReady.load(ordering: .relaxed) {}
                for _ in 0..<round * 50 { _ = Self.calls.load(ordering: .relaxed) }
                _ = crashOnPurpose(.badPointer, 1)
            }
            Self.isReady.store(true, ordering: .relaxed)
            sut.stop()
            for number in 0..<32 { _ = open("\(path)/later\(number)", O_RDWR | O_CREAT, 0o600) }
            await theEnd()
        }
        let capture = try place.capture()
        #expect(capture.map { $0.isComplete && !$0.isTruncated } ?? true)
        for name in place.folder.names where name.hasPrefix("later") {
            #expect(try place.folder.text(of: name).isEmpty)
        }
    }

    @Test func aStartAfterAStopTakesTheSignalsAgain() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            try CrashPlace.start(path).stop()
            _ = try CrashPlace.start(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try place.capture()?.isComplete == true)
    }
}

private enum Later {
    typealias Handler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    static let earlier = Atomic<Int>(0)
}
#endif
