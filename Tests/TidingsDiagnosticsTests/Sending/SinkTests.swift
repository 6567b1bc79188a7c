// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct SinkTests {
    private let place: TemporaryFolder
    private var path: String { place.path + "/reports.jsonl" }

    init() throws {
        place = try TemporaryFolder()
    }

    private struct Line: Decodable {
        var sent: Date
        var report: Report?
        var sessions: [ReportedSession]?
        var losses: [ReportLoss]?
    }

    private func lines() throws -> [Line] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .map { try ReportFormat.decode(Line.self, Data($0.utf8)) }
    }

    @Test func aFileSinkAppendsALineForItsOwnerAlone() async throws {
        let sink = FileSink(path: path)
        let loss = ReportLoss(reason: .sampled, category: .error, quantity: 2)
        #expect(await sink.send(ReportDelivery(report: .sample(1), losses: [loss])).isAccepted)
        #expect(await sink.send(ReportDelivery(sessions: [.sample("a", 1)])).isAccepted)
        let lines = try lines()
        #expect(lines.map(\.report) == [.sample(1), nil])
        #expect(lines.map(\.losses) == [[loss], nil])
        #expect(lines.map(\.sessions) == [nil, [.sample("a", 1)]])
        let rights = try FileManager.default.attributesOfItem(atPath: path)
        #expect(rights[.posixPermissions] as? Int == 0o600)
    }

    @Test func aTornLineDoesNotSpoilTheNext() async throws {
        try Data("{\"sent".utf8).write(to: URL(filePath: path))
        #expect(await FileSink(path: path).send(ReportDelivery(report: .sample(1))).isAccepted)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test func r16_aFullDiskLeavesWholeLines() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let sink = FileSink(path: path)
            let delivery = ReportDelivery(report: .sample(1))
            _ = await sink.send(delivery)
            let size = try Data(contentsOf: URL(filePath: path)).count
            for length in stride(from: size, to: size * 2, by: 7) {
                try limitFiles(to: length)
                guard case .failed = await sink.send(delivery).outcome else { exit(1) }
                guard try Data(contentsOf: URL(filePath: path)).count == size else { exit(2) }
            }
            try limitFiles(to: size * 3)
            exit(await sink.send(delivery).isAccepted ? 0 : 3)
        }
        #expect(try lines().count == 2)
    }

    @Test func aFileThatCannotBeMadeIsAFailure() async {
        let receipt = await FileSink(path: place.path + "/no/file").send(ReportDelivery())
        guard case .failed(let text) = receipt.outcome else {
            Issue.record("\(receipt)")
            return
        }
        #expect(text.contains("/no/file"))
    }

    @Test func anInMemorySinkCanBeAwaited() async throws {
        let sink = InMemorySink { ReportReceipt($0.report == nil ? .limited : .accepted) }
        async let two = sink.deliveries(2)
        #expect(await sink.send(ReportDelivery(report: .sample(1))).isAccepted)
        #expect(await sink.send(ReportDelivery()).outcome == .limited)
        #expect(try await two.map(\.report) == [.sample(1), nil])
        let waiting = Task { try await sink.deliveries(3) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(arguments: [2, 10])
    func r9_processesSendEachReportOnce(_ count: Int) async throws {
        let store = ReporterStore(directory: place.path)
        let folder = ReportFolder(path: place.path, countLimit: 99, byteLimit: 1 << 20)
        let spool = try ReportSpool(folder: folder)
        store.update { $0.consent = .given }
        for second in 1...30 { spool.add(.sample(second, isCrash: second % 2 == 0)) }
        await withTaskGroup { group in
            for _ in 1...count {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = place.path as String] in
                        let folder = ReportFolder(path: path, countLimit: 99, byteLimit: 1 << 20)
                        let sender = ReportSender(
                            spool: try ReportSpool(folder: folder),
                            store: ReporterStore(directory: path),
                            sink: FileSink(path: path + "/reports.jsonl")
                        )
                        _ = await sender.flush(timeout: .seconds(200))
                    }
                }
            }
        }
        let sent = try lines().compactMap { $0.report.map { Int($0.date.timeIntervalSince1970) } }
        #expect(sent.sorted() == Array(1...30))
        #expect(folder.names().isEmpty)
    }
}

extension ReportReceipt {
    fileprivate var isAccepted: Bool { outcome == .accepted }
}
