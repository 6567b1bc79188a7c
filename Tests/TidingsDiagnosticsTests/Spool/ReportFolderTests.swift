// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportFolderTests {
    private let place: TemporaryFolder
    private let folder: ReportFolder
    private let today = Date(timeIntervalSince1970: 100)

    init() throws {
        place = try TemporaryFolder()
        folder = ReportFolder(path: place.path + "/reports", countLimit: 3, byteLimit: 1_000)
        try folder.create()
    }

    private func rights(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func write(_ second: Int, isCrash: Bool = false, bytes: Int = 1) throws {
        let report = Report.sample(second, isCrash: isCrash)
        try folder.write(Data(count: bytes), named: ReportName(report, number: second))
    }

    /// The seconds of the stored reports, oldest first, negative for crashes.
    private var seconds: [Int] {
        folder.names().map { Int($0.date.timeIntervalSince1970) * ($0.isCrash ? -1 : 1) }
    }

    @Test func onlyTheOwnerCanReadReports() throws {
        try write(1)
        #expect(try rights(folder.root) == 0o700)
        #expect(try rights(folder.path) == 0o700)
        #expect(try rights(folder.path + "/" + (folder.names().first?.file ?? "")) == 0o600)
    }

    @Test func r15_theOldestAreDeletedWhenThereAreTooMany() throws {
        var removed = 0
        for number in 1...5 {
            try write(number)
            removed += folder.removeSurplus(at: today)
        }
        #expect(seconds == [3, 4, 5])
        #expect(removed == 2)
    }

    @Test func r15_crashesAreDeletedLast() throws {
        try write(1, isCrash: true)
        for number in 2...4 { try write(number) }
        #expect(folder.removeSurplus(at: today) == 1)
        #expect(seconds == [-1, 3, 4])
        for number in 5...7 { try write(number, isCrash: true) }
        #expect(folder.removeSurplus(at: today) == 3)
        #expect(seconds == [-5, -6, -7])
        try write(8)
        #expect(folder.removeSurplus(at: today) == 1)
        #expect(seconds == [-5, -6, -7])
    }

    @Test func r15_theOldestAreDeletedWhenTheyAreTooLargeAndTheLastStays() throws {
        for number in 1...2 { try write(number, bytes: 400) }
        #expect(folder.removeSurplus(at: today) == 0)
        try write(3, bytes: 5_000)
        #expect(folder.removeSurplus(at: today) == 2)
        #expect(seconds == [3])
    }

    @Test func r15_reportsThatAreTooOldAreDeletedDespiteAWrongClock() throws {
        try write(1)
        try write(2, isCrash: true)
        #expect(folder.removeSurplus(at: Date.now) == 0)
        #expect(folder.removeSurplus(at: Date.now + folder.ageLimit - 3_600) == 0)
        #expect(folder.removeSurplus(at: Date.now + folder.ageLimit + 3_600) == 2)
        #expect(seconds.isEmpty)
    }

    @Test func oneReportIsDeletedByItsIdentifier() throws {
        let reports = [Report.sample(1), .sample(2, isCrash: true), .sample(3)]
        for report in reports {
            let data = try ReportFormat.encode(report)
            try folder.write(data, named: ReportName(report, number: 1))
        }
        #expect(try folder.remove(id: reports[1].id))
        #expect(try !folder.remove(id: reports[1].id))
        #expect(try !folder.remove(id: "0"))
        #expect(seconds == [1, 3])
    }

    @Test func reportsOfAnEarlierVersionAreMoved() throws {
        let report = Report.sample(7)
        let old = "00000000007000-00000001-00000000.report.json"
        try ReportFormat.encode(report).write(to: URL(filePath: "\(folder.root)/\(old)"))
        try Data().write(to: URL(filePath: "\(folder.root)/notes.txt"))
        try folder.create()
        #expect(SystemFile.names(in: folder.root).sorted() == ["notes.txt", "spool"])
        let name = try #require(folder.names().first)
        guard case .report(report) = folder.read(name) else {
            Issue.record("It is not the report.")
            return
        }
        #expect(try folder.remove(id: report.id))
        #expect(folder.names().isEmpty)
    }

    @Test func anUnfinishedFileIsNotAReportAndIsDeletedWhenItIsOld() throws {
        let parts = [folder.root, folder.path].map { $0 + "/1.part" }
        for part in parts { try Data("{".utf8).write(to: URL(fileURLWithPath: part)) }
        #expect(folder.names().isEmpty)
        try folder.create()
        for part in parts {
            #expect(FileManager.default.fileExists(atPath: part))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7_200)],
                ofItemAtPath: part
            )
        }
        try folder.create()
        for part in parts { #expect(!FileManager.default.fileExists(atPath: part)) }
    }

    @Test func r16_aFailedWriteLeavesNothingBehind() throws {
        let name = ReportName(.sample(1), number: 1)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/" + name.file,
            withIntermediateDirectories: true
        )
        #expect(throws: SystemError.self) { try folder.write(Data("x".utf8), named: name) }
        #expect(SystemFile.names(in: folder.path) == [name.file])
    }

    @Test func r14_unfinishedFilesAreDeletedWithTheReports() throws {
        try write(1)
        let report = ReportName(.sample(2), number: 2).file
        for folder in [folder.root, folder.path] {
            try Data("{".utf8).write(to: URL(filePath: "\(folder)/\(report).part"))
            try Data("{".utf8).write(to: URL(filePath: "\(folder)/state.json.part"))
        }
        #expect(folder.removeAll() == nil)
        #expect(SystemFile.names(in: folder.path) == ["state.json.part"])
        #expect(SystemFile.names(in: folder.root).sorted() == ["spool", "state.json.part"])
    }

    #if os(Linux)
    @Test func r14_itemsLeftInTheQuarantineAreAnError() throws {
        // This is a folder in which deleting always fails.
        try FileManager.default.createSymbolicLink(
            atPath: folder.quarantine.path,
            withDestinationPath: "/proc/self/attr"
        )
        try write(1)
        #expect(folder.removeAll() != nil)
        #expect(folder.names().isEmpty)
    }
    #endif

    @Test func otherFilesAreNeverDeleted() throws {
        let stranger = folder.path + "/notes.txt"
        try Data("x".utf8).write(to: URL(fileURLWithPath: stranger))
        try write(1)
        #expect(folder.removeAll() == nil)
        #expect(FileManager.default.fileExists(atPath: stranger))
        #expect(folder.names().isEmpty)
    }
}
