// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// An exit of the process, which marks the end of a run and never blocks.
@Suite(.timeLimit(.minutes(15)))
struct CleanExitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Exits the process and has a normal return type.
    ///
    /// With `Never`, the compiler would release the lock before the call.
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
