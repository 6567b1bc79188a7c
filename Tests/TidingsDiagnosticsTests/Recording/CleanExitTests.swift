// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// An exit marks the end of a run and never blocks.
@Suite(.timeLimit(.minutes(5)))
struct CleanExitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Appears to return; otherwise the compiler would release the lock before the call.
    private static func leave() {
        exit(3)
    }

    @Test func r7_anExitFromInsideOfTheFilesLockMarksTheEnd() async throws {
        await #expect(processExitsWith: .exitCode(3)) { [path = folder.path as String] in
            alarm(200)
            let file = RunFile(at: "\(path)/live")
            CleanExit.register(file)
            file.state.withLock { _ in Self.leave() }
        }
        #expect(RunRecord.read("\(folder.path)/live")?.end == .clean)
    }

    @Test func anExitFromInsideOfItsOwnLockEnds() async throws {
        await #expect(processExitsWith: .exitCode(3)) { [path = folder.path as String] in
            alarm(200)
            let file = RunFile(at: "\(path)/live")
            CleanExit.register(file)
            CleanExit.registrations.withLock { _ in Self.leave() }
        }
    }
}
#endif
