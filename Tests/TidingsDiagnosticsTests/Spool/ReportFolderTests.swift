// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct ReportFolderTests {
    private let place: TemporaryFolder
    private let folder: ReportFolder

    init() throws {
        place = try TemporaryFolder()
        folder = ReportFolder(path: place.path + "/reports", countLimit: 3, byteLimit: 1_000)
        try folder.create()
    }

    private func rights(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func onlyTheOwnerCanReadReports() throws {
        try folder.write(Data("x".utf8), named: "1")
        #expect(try rights(folder.path) == 0o700)
        #expect(try rights(folder.path + "/1.report.json") == 0o600)
    }

    @Test func theOldestGoWhenThereAreTooMany() throws {
        var removed = 0
        for number in 1...5 {
            try folder.write(Data("x".utf8), named: "\(number)")
            removed += folder.removeSurplus()
        }
        #expect(folder.names() == ["3.report.json", "4.report.json", "5.report.json"])
        #expect(removed == 2)
    }

    @Test func theOldestGoWhenTheyAreTooLargeAndTheNewestStays() throws {
        for number in 1...2 { try folder.write(Data(count: 400), named: "\(number)") }
        #expect(folder.removeSurplus() == 0)
        try folder.write(Data(count: 5_000), named: "3")
        #expect(folder.removeSurplus() == 2)
        #expect(folder.names() == ["3.report.json"])
    }

    @Test func aTornReportIsLeftOutAndHidesNoOther() async throws {
        let spool = try ReportSpool(folder: folder)
        let whole = try ReportFormat.encode(Self.report)
        try folder.write(whole, named: "1")
        try folder.write(whole.prefix(whole.count / 2), named: "2")
        try folder.write(Data(), named: "3")
        try folder.write(Data([0xFF, 0xFE]), named: "4")
        try folder.write(whole, named: "5")
        for (name, target) in [("6", "/dev/zero"), ("7", folder.path + "/1.report.json")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/\(name).report.json",
                withDestinationPath: target
            )
        }
        #expect(await spool.reports() == [Self.report, Self.report])
    }

    @Test func anUnfinishedFileIsNoReportAndGoesWhenItIsOld() throws {
        let part = folder.path + "/1.part"
        try Data("{".utf8).write(to: URL(fileURLWithPath: part))
        #expect(folder.names().isEmpty)
        try folder.create()
        #expect(FileManager.default.fileExists(atPath: part))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7_200)],
            ofItemAtPath: part
        )
        try folder.create()
        #expect(!FileManager.default.fileExists(atPath: part))
    }

    @Test func aFailedWriteLeavesNothingBehind() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/1.report.json",
            withIntermediateDirectories: true
        )
        #expect(throws: SystemError.self) { try folder.write(Data("x".utf8), named: "1") }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/1.part"))
    }

    @Test func whatIsNoReportIsNeverDeleted() throws {
        let stranger = folder.path + "/notes.txt"
        try Data("x".utf8).write(to: URL(fileURLWithPath: stranger))
        try folder.write(Data("x".utf8), named: "1")
        #expect(folder.removeAll() == nil)
        #expect(FileManager.default.fileExists(atPath: stranger))
        #expect(folder.names().isEmpty)
    }

    private static let report = Report(
        id: "1",
        date: Date(timeIntervalSince1970: 1.5),
        level: .error,
        application: "a",
        release: "b",
        user: nil,
        errors: [],
        context: [:],
        values: [:],
        breadcrumbs: []
    )
}
