// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles

@testable import TidingsDiagnostics

/// A user other than root.
private let nobody: uid_t = 65_534

/// Files in the reporter's folder that belong to another user.
///
/// These tests require root.
@Suite(.timeLimit(.minutes(15)), .enabled(if: geteuid() == 0))
struct ForeignFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func give(_ name: String, to user: uid_t) throws {
        try #require(lchown("\(folder.path)/\(name)", user, user) == 0)
    }

    private static func start(_ path: String) throws -> CrashReporter {
        try CrashReporter.start(.init(test: path, .errorsOnly))
    }

    private static func becomeNobody() throws {
        try #require(setgid(nobody) == 0 && setuid(nobody) == 0)
    }

    @Test(arguments: ["state.json", "state.lock"])
    func consentOfAnotherUserIsNotBelievedAndNotChanged(_ name: String) throws {
        ReporterStore(directory: folder.path).setConsent(.given)
        let file = "\(folder.path)/state.json"
        let before = try Data(contentsOf: URL(filePath: file))
        try give(name, to: nobody)
        let store = ReporterStore(directory: folder.path)
        if name == "state.json" { #expect(store.state.consent == .unknown) }
        store.setConsent(.revoked)
        store.update { $0.count(ReportLoss(reason: .refused, category: .error, quantity: 1)) }
        #expect(store.state.consent == .revoked && store.state.losses.count == 1)
        if name == "state.json" {
            #expect(try Data(contentsOf: URL(filePath: file)) == before)
            #expect(SystemFile.owner(of: file) == nobody)
        }
        try give(name, to: 0)
        store.update { $0.count(ReportLoss(reason: .refused, category: .error, quantity: 1)) }
        #expect(ReporterStore(directory: folder.path).state.consent == .revoked)
    }

    @Test func aReportOfAnotherUserIsPassedOverAndStays() async throws {
        let spool = try ReportSpool(
            folder: ReportFolder(path: folder.path, countLimit: 9, byteLimit: 1 << 20)
        )
        for second in 1...2 { spool.add(.sample(second)) }
        let name = try #require(spool.names().first).file
        try give("spool/\(name)", to: nobody)
        #expect(await spool.reports().map(\.id) == [Report.sample(2).id])
        #expect(await spool.reports().count == 1)
        #expect(spool.losses.lost == 0 && spool.folder.quarantine.names.isEmpty)
        #expect(spool.folder.names().count == 2)
        let problem = try #require(ForeignFiles(in: folder.path).problems.first)
        #expect(problem.code == .folderUnusable && problem.message.hasPrefix("spool/\(name) in "))
        try give("spool", to: nobody)
        #expect(!spool.add(.sample(3)))
        #expect(spool.losses.lastFailure?.message.contains("user who runs the program") == true)
    }

    @Test func aRunAsRootAndTheUsersNextOneBothStart() async throws {
        try give("", to: nobody)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            try Self.becomeNobody()
            let reporter = try Self.start(path)
            reporter.consent = .given
            reporter.record(PlainFailure.refused(port: 1))
            await reporter.close(timeout: .seconds(200))
            #expect(reporter.state.problems.isEmpty)
        }
        let root = try Self.start(folder.path)
        #expect(root.consent == .unknown && root.state.failure != nil)
        #expect(root.state.problems.count == 2)
        root.record(PlainFailure.refused(port: 2))
        await root.flush(timeout: .seconds(200))
        #expect(await root.unsentReports().isEmpty && root.state.lostReports == 1)
        await root.close(timeout: .seconds(200))
        #expect(SystemFile.names(in: folder.path + "/spool").count == 1)
        // A less careful program would have left these files.
        for name in ["state.json", "send.lock"] {
            _ = try? SystemFile.create("\(folder.path)/\(name)", content: Data())
            try give(name, to: 0)
        }
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            try Self.becomeNobody()
            let reporter = try Self.start(path)
            #expect(reporter.state.problems.count == 1)
            #expect(reporter.previousRun == .clean && reporter.consent == .unknown)
            reporter.record(PlainFailure.refused(port: 3))
            #expect(await reporter.unsentReports().count == 2)
            reporter.consent = .given
            #expect(reporter.consent == .given)
            await reporter.close(timeout: .seconds(200))
        }
    }

    @Test func anInaccessibleFolderOfAnotherUserFailsTheStart() async throws {
        try SystemFile.makeFolder(folder.path + "/reports")
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            try Self.becomeNobody()
            let error = #expect(throws: DiagnosticsError.self) { try Self.start(path + "/reports") }
            #expect(error?.message.contains("Permission denied") == true)
        }
    }
}
