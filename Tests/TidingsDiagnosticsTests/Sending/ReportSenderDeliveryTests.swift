// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSenderDeliveryTests {
    private let loss = ReportLoss(reason: .sampled, category: .error, quantity: 3)

    @Test func crashesGoFirstThenTheOldestOneAtATime() async throws {
        let running = Lock(0)
        let most = Lock(0)
        let fixture = try ReportSenderFixture { _ in
            let now = running.withLock {
                $0 += 1
                return $0
            }
            most.withLock { $0 = max($0, now) }
            running.withLock { $0 -= 1 }
            return ReportReceipt(.accepted)
        }
        for second in [3, 1, 2] { fixture.spool.add(.sample(second)) }
        for second in [5, 4] { fixture.spool.add(.sample(second, isCrash: true)) }
        await withTaskGroup { group in
            for _ in 1...8 { group.addTask { fixture.sender.wake() } }
        }
        #expect(await fixture.rest())
        #expect(fixture.sent == [4, 5, 1, 2, 3])
        #expect(most.withLock { $0 } == 1)
    }

    @Test func countsAreSentWithAReportAndRemovedAfterwards() async throws {
        let fixture = try ReportSenderFixture([
            ReportReceipt(.failed("reset")), ReportReceipt(.accepted),
        ])
        fixture.store.update { [loss] state in
            state.count(loss)
            state.add(.sample("a", 0, isFirst: true))
        }
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        _ = try await fixture.sink.deliveries(1)
        try await fixture.advance(by: .seconds(1))
        let deliveries = try await fixture.sink.deliveries(2)
        #expect(await fixture.rest())
        #expect(deliveries.allSatisfy { $0.losses == [loss] && $0.sessions.count == 1 })
        #expect(fixture.store.state.losses.isEmpty && fixture.store.state.sessions.isEmpty)
    }

    @Test func countsAddedDuringADeliveryAreKept() async throws {
        let store = Lock<ReporterStore?>(nil)
        let fixture = try ReportSenderFixture { [loss] _ in
            store.withLock { $0 }?.update { $0.count(loss) }
            return ReportReceipt(.accepted)
        }
        store.withLock { $0 = fixture.store }
        fixture.store.update { [loss] in $0.count(loss) }
        fixture.spool.add(.sample(1))
        #expect(await fixture.rest())
        #expect(fixture.store.state.losses == [loss])
    }

    @Test func sessionsAreSentWithoutAReport() async throws {
        let fixture = try ReportSenderFixture()
        fixture.store.update { $0.add(.sample("a", 0)) }
        #expect(await fixture.rest())
        #expect(fixture.sink.deliveries == [ReportDelivery(sessions: [.sample("a", 0)])])
    }

    @Test func r20_valuesAddedByBeforeSendAreRedacted() async throws {
        let secret = "https://u:hunter2@h/a?hunter2"
        let fixture = try ReportSenderFixture(beforeSend: { report in
            var report = report
            report.application = secret
            report.release = "a@1 token=hunter2"
            report.environment = secret
            report.user = secret
            report.errors = [ReportedError(domain: secret, code: secret, message: secret)]
            report.context = ["token": "hunter2", "a": .text(secret)]
            report.values = ["a?token=hunter2": 1]
            let date = report.date
            report.breadcrumbs = [
                Breadcrumb(date: date, category: "log", text: secret, location: secret)
            ]
            report.grouping = [secret]
            report.frames = [ReportedFrame(address: 1, kind: .call, file: secret)]
            report.images = [ReportedImage(path: secret, buildID: nil, start: 0, end: 1)]
            report.machine = [
                "system": secret, "kernel": secret, "architecture": secret, "locale": secret,
            ]
            report.crash?.reason = secret
            report.crash?.text = "Cookie: hunter2"
            report.crash?.threadName = "token=hunter2"
            return report
        })
        fixture.spool.add(.sample(1, isCrash: true))
        #expect(await fixture.rest())
        let sent = try #require(fixture.sink.deliveries.first?.report)
        let text = String(decoding: try sent.encoded(), as: UTF8.self)
        #expect(text.contains("[redacted]") && !text.contains("hunter2"))
    }

    @Test func r20_beforeSendChangesWhatIsSentAndDropsAreCounted() async throws {
        let fixture = try ReportSenderFixture(beforeSend: { report in
            guard report.crash != nil else { return nil }
            var report = report
            report.user = "nobody"
            return report
        })
        fixture.spool.add(.sample(1))
        fixture.spool.add(.sample(2, isCrash: true))
        #expect(await fixture.rest())
        #expect(fixture.sink.deliveries.map(\.report?.user) == ["nobody"])
        #expect(await fixture.kept().isEmpty)
        #expect(
            fixture.store.state.losses
                == [ReportLoss(reason: .beforeSend, category: .error, quantity: 1)]
        )
    }

    @Test func refusedReportsAreDeletedAndCounted() async throws {
        let fixture = try ReportSenderFixture([ReportReceipt(.refused("too large"))])
        for second in 1...2 { fixture.spool.add(.sample(second)) }
        #expect(await fixture.rest())
        let lost = ReportLoss(reason: .refused, category: .error, quantity: 1)
        #expect(fixture.sent == [1, 2])
        #expect(fixture.sink.deliveries.map(\.losses) == [[], [lost]])
        #expect(fixture.store.state.losses.isEmpty)
    }

    @Test func aReportIsNotLostBecauseOfTheCountsSentWithIt() async throws {
        let fixture = try ReportSenderFixture { delivery in
            ReportReceipt(delivery.sessions.isEmpty ? .accepted : .refused("unknown item"))
        }
        fixture.store.update { $0.add(.sample("a", 0)) }
        for second in 1...2 { fixture.spool.add(.sample(second)) }
        #expect(await fixture.rest())
        #expect(fixture.sent == [1, 1, 2])
        #expect(await fixture.kept().isEmpty)
        #expect(
            fixture.store.state.losses
                == [ReportLoss(reason: .refused, category: .session, quantity: 1)]
        )
    }

    @Test func r15_lossesInARefusedDeliveryAreSentLater() async throws {
        let fixture = try ReportSenderFixture { delivery in
            ReportReceipt(delivery.sessions.isEmpty ? .accepted : .refused("unknown item"))
        }
        let lost = ReportLoss(reason: .spoolFull, category: .error, quantity: 3)
        fixture.store.update { state in
            state.add(.sample("a", 0))
            state.count(lost)
        }
        fixture.sender.wake()
        #expect(await fixture.rest())
        let refused = ReportLoss(reason: .refused, category: .session, quantity: 1)
        #expect(fixture.store.state.losses == [lost, refused])
        #expect(fixture.sink.deliveries.count == 1)
        fixture.spool.add(.sample(1))
        fixture.sender.wake()
        #expect(await fixture.rest())
        #expect(fixture.sink.deliveries.last?.losses == [lost, refused])
        #expect(fixture.store.state.losses.isEmpty)
    }

    @Test func r11_unreadableReportsAreSkipped() async throws {
        let fixture = try ReportSenderFixture()
        fixture.spool.add(.sample(2))
        let torn = "\(fixture.spool.folder.path)/00000000000001-00000001-a.crash.json"
        try Data("{".utf8).write(to: URL(filePath: torn))
        #expect(await fixture.rest())
        #expect(fixture.sent == [2])
        #expect(fixture.spool.folder.quarantine.names.count == 1)
        #expect(fixture.sink.deliveries.first?.losses.map(\.reason) == [.unreadable])
    }

    @Test func aReportThatCannotBeDeletedIsSentOnce() async throws {
        let path = Lock("")
        let fixture = try ReportSenderFixture { _ in
            let file = path.withLock { $0 }
            try? FileManager.default.removeItem(atPath: file)
            try? FileManager.default.createDirectory(
                atPath: file,
                withIntermediateDirectories: false
            )
            return ReportReceipt(.accepted)
        }
        fixture.spool.add(.sample(1))
        let name = try #require(fixture.spool.folder.names().first)
        path.withLock { $0 = "\(fixture.spool.folder.path)/\(name.file)" }
        for _ in 1...2 { #expect(await fixture.rest()) }
        #expect(fixture.sent == [1])
        #expect(fixture.spool.folder.names() == [name])
    }

    @Test func aSinkMayCallTheSender() async throws {
        let sender = Lock<ReportSender?>(nil)
        let fixture = try ReportSenderFixture { _ in
            let sender = sender.withLock { $0 }
            sender?.wake()
            sender?.sendNow()
            return ReportReceipt(.accepted)
        }
        sender.withLock { $0 = fixture.sender }
        for second in 1...3 { fixture.spool.add(.sample(second)) }
        #expect(await fixture.rest())
        #expect(fixture.sent == [1, 2, 3])
        sender.withLock { $0 = nil }
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible))
    func r16_aFullDiskDoesNotKeepReportsFromBeingSent() async throws {
        let disk = try SmallDisk()
        let pauses: [ReportCategory: Duration] = [.session: .seconds(60)]
        let fixture = try ReportSenderFixture(
            [ReportReceipt(.accepted, pauses: pauses)],
            path: disk.path
        )
        for second in 1...2 { fixture.spool.add(.sample(second)) }
        fixture.store.update { [loss] in $0.count(loss) }
        try disk.fill(leaving: 0)
        #expect(await fixture.rest())
        #expect(fixture.sent == [1, 2])
        #expect(fixture.sink.deliveries.map(\.losses) == [[loss], []])
        #expect(fixture.store.state.pause(of: .session, at: fixture.now) == 60)
        try disk.empty()
        fixture.sender.setConsent(.given)
        let known = ReporterStore(directory: disk.path).state
        #expect(known == fixture.store.state && known.losses.isEmpty)
    }
    #endif
}
