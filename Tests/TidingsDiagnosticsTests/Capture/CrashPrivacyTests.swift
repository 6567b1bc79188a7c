// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The permissions and the lifetime of the files that a crash leaves.
@Suite(.timeLimit(.minutes(15)))
struct CrashPrivacyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the files with a `name` in the path, and the permissions of each file.
    private func files(named name: String) throws -> [(path: String, rights: Int)] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
        return try (all ?? []).filter { $0.contains(name) }.map { path in
            let facts = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(path)")
            return (path, facts[.posixPermissions] as? Int ?? 0)
        }
    }

    @Test func r20_theRawCaptureIsPrivateAndDeletedAfterItsReport() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = folder.path as String] in
            // The mask is zero, as in a program that sets no file mode creation mask.
            umask(0)
            let reporter = try CrashReporter.start(.init(test: path, .on))
            _ = crashOnPurpose(.badPointer, 1)
            withExtendedLifetime(reporter) {}
        }
        let raw = try files(named: "crash-")
        #expect(raw.count == 2 && raw.allSatisfy { $0.rights == 0o600 })
        let runs = try files(named: "runs").filter { !$0.path.dropFirst(5).contains("/") }
        #expect(runs.count == 2 && runs.allSatisfy { $0.rights == 0o700 })
        #expect(try folder.allBytes().contains("TIDCRSH1"))

        let reporter = try CrashReporter.start(.init(test: folder.path, .errorsOnly))
        #expect(await reporter.unsentReports().count == 1)
        #expect(try !folder.allBytes().contains("TIDCRSH1"))
        #expect(try files(named: "spool/").map(\.rights) == [0o600])
    }
}
#endif
