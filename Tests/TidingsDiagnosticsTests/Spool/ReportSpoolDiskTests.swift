// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsFiles

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSpoolDiskTests {
    /// A limit on the file size replaces a full disk.
    ///
    /// The write can end at any byte.
    @Test func r16_aWriteThatEndsAnywhereLosesTheNewReportOnly() async throws {
        let place = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = place.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let folder = ReportFolder(path: path, countLimit: 9, byteLimit: 1 << 20)
            let spool = try ReportSpool(folder: folder)
            spool.add(.sample(1))
            let size = try ReportFormat.encode(Report.sample(2)).count
            for length in 0..<size {
                try limitFiles(to: length)
                guard !spool.add(.sample(2)), folder.names().count == 1 else { exit(1) }
            }
            try limitFiles(to: size)
            guard spool.add(.sample(3)), spool.losses.lost == size else { exit(2) }
            guard SystemFile.names(in: folder.path).count == 2 else { exit(3) }
            exit(await spool.reports() == [.sample(3), .sample(1)] ? 0 : 4)
        }
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible))
    func r16_aFullDiskDropsTheNewReportAndCountsIt() async throws {
        let disk = try SmallDisk()
        let folder = ReportFolder(path: disk.path, countLimit: 99, byteLimit: 1 << 20)
        let spool = try ReportSpool(folder: folder)
        let message = String(repeating: "x", count: 10_000)
        var kept: [Report] = []
        for blocks in 0...8 {
            try disk.fill(leaving: blocks)
            let report = Report.sample(blocks, isCrash: blocks % 2 == 0, message: message)
            if spool.add(report) { kept.append(report) }
            #expect(await spool.reports().reversed() == kept)
            #expect(SystemFile.names(in: folder.path).count == kept.count)
        }
        #expect(!kept.isEmpty && spool.losses.lost + kept.count == 9)
        try disk.empty()
        #expect(spool.add(.sample(99)), "\(String(describing: spool.losses.lastFailure))")
    }
    #endif
}
