// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CourierSendingTests {
    private let loss = ReportLoss(reason: .sampled, category: .error, quantity: 3)

    @Test func crashesGoFirstThenTheOldestOneAtATime() async throws {
        let running = Lock(0)
        let most = Lock(0)
        let stage = try CourierStage { _ in
            let now = running.withLock {
                $0 += 1
                return $0
            }
            most.withLock { $0 = max($0, now) }
            running.withLock { $0 -= 1 }
            return ReportReceipt(.accepted)
        }
        for second in [3, 1, 2] { stage.spool.add(.made(second)) }
        for second in [5, 4] { stage.spool.add(.made(second, isCrash: true)) }
        await withTaskGroup { group in
            for _ in 1...8 { group.addTask { stage.courier.wake() } }
        }
        #expect(await stage.rest())
        #expect(stage.sent == [4, 5, 1, 2, 3])
        #expect(most.withLock { $0 } == 1)
    }

    @Test func numbersTravelAlongAndAreForgottenWhenTheyHaveArrived() async throws {
        let stage = try CourierStage([ReportReceipt(.failed("reset")), ReportReceipt(.accepted)])
        stage.store.update { [loss] state in
            state.count(loss)
            state.note(.made("a", 0, isFirst: true))
        }
        stage.spool.add(.made(1))
        stage.courier.wake()
        _ = try await stage.sink.deliveries(1)
        try await stage.advance(by: .seconds(1))
        let deliveries = try await stage.sink.deliveries(2)
        #expect(await stage.rest())
        #expect(deliveries.allSatisfy { $0.losses == [loss] && $0.sessions.count == 1 })
        #expect(stage.store.state.losses.isEmpty && stage.store.state.sessions.isEmpty)
    }

    @Test func numbersThatComeDuringASendAreKept() async throws {
        let store = Lock<ReporterStore?>(nil)
        let stage = try CourierStage { [loss] _ in
            store.withLock { $0 }?.update { $0.count(loss) }
            return ReportReceipt(.accepted)
        }
        store.withLock { $0 = stage.store }
        stage.store.update { [loss] in $0.count(loss) }
        stage.spool.add(.made(1))
        #expect(await stage.rest())
        #expect(stage.store.state.losses == [loss])
    }

    @Test func sessionsAreSentWithoutAReport() async throws {
        let stage = try CourierStage()
        stage.store.update { $0.note(.made("a", 0)) }
        #expect(await stage.rest())
        #expect(stage.sink.deliveries == [ReportDelivery(sessions: [.made("a", 0)])])
    }

    @Test func promise20_whatBeforeSendAddsIsRedactedToo() async throws {
        let secret = "https://u:hunter2@h/a?hunter2"
        let stage = try CourierStage(beforeSend: { report in
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
                Breadcrumb(date: date, origin: .log, text: secret, location: secret)
            ]
            report.grouping = [secret]
            report.frames = [ReportedFrame(address: 1, kind: .call, file: secret)]
            report.images = [ReportedImage(path: secret, buildID: nil, start: 0, end: 1)]
            report.machine = ReportedMachine(
                system: secret,
                kernel: secret,
                architecture: secret,
                locale: secret
            )
            report.crash?.reason = secret
            report.crash?.text = "Cookie: hunter2"
            report.crash?.threadName = "token=hunter2"
            return report
        })
        stage.spool.add(.made(1, isCrash: true))
        #expect(await stage.rest())
        let sent = try #require(stage.sink.deliveries.first?.report)
        let text = String(decoding: try sent.encoded(), as: UTF8.self)
        #expect(text.contains("[redacted]") && !text.contains("hunter2"))
    }

    @Test func promise20_beforeSendChangesWhatIsSentAndDropsAreCounted() async throws {
        let stage = try CourierStage(beforeSend: { report in
            guard report.crash != nil else { return nil }
            var report = report
            report.user = "nobody"
            return report
        })
        stage.spool.add(.made(1))
        stage.spool.add(.made(2, isCrash: true))
        #expect(await stage.rest())
        #expect(stage.sink.deliveries.map(\.report?.user) == ["nobody"])
        #expect(await stage.kept().isEmpty)
        #expect(
            stage.store.state.losses
                == [ReportLoss(reason: .beforeSend, category: .error, quantity: 1)]
        )
    }

    @Test func whatIsRefusedGoesAndIsCounted() async throws {
        let stage = try CourierStage([ReportReceipt(.refused("too large"))])
        for second in 1...2 { stage.spool.add(.made(second)) }
        #expect(await stage.rest())
        let lost = ReportLoss(reason: .refused, category: .error, quantity: 1)
        #expect(stage.sent == [1, 2])
        #expect(stage.sink.deliveries.map(\.losses) == [[], [lost]])
        #expect(stage.store.state.losses.isEmpty)
    }

    @Test func aReportIsNotLostBecauseOfTheNumbersBesideIt() async throws {
        let stage = try CourierStage { delivery in
            ReportReceipt(delivery.sessions.isEmpty ? .accepted : .refused("unknown item"))
        }
        stage.store.update { $0.note(.made("a", 0)) }
        for second in 1...2 { stage.spool.add(.made(second)) }
        #expect(await stage.rest())
        #expect(stage.sent == [1, 1, 2])
        #expect(await stage.kept().isEmpty)
        #expect(
            stage.store.state.losses
                == [ReportLoss(reason: .refused, category: .session, quantity: 1)]
        )
    }

    @Test func promise15_whatARefusalTookAlongIsStillReported() async throws {
        let stage = try CourierStage { delivery in
            ReportReceipt(delivery.sessions.isEmpty ? .accepted : .refused("unknown item"))
        }
        let lost = ReportLoss(reason: .spoolFull, category: .error, quantity: 3)
        stage.store.update { state in
            state.note(.made("a", 0))
            state.count(lost)
        }
        stage.courier.wake()
        #expect(await stage.rest())
        let refused = ReportLoss(reason: .refused, category: .session, quantity: 1)
        #expect(stage.store.state.losses == [lost, refused])
        #expect(stage.sink.deliveries.count == 1)
        stage.spool.add(.made(1))
        stage.courier.wake()
        #expect(await stage.rest())
        #expect(stage.sink.deliveries.last?.losses == [lost, refused])
        #expect(stage.store.state.losses.isEmpty)
    }

    @Test func promise11_whatCannotBeReadIsPassedOver() async throws {
        let stage = try CourierStage()
        stage.spool.add(.made(2))
        let torn = "\(stage.spool.folder.path)/00000000000001-00000001-a.crash.json"
        try Data("{".utf8).write(to: URL(filePath: torn))
        #expect(await stage.rest())
        #expect(stage.sent == [2])
        #expect(stage.spool.folder.quarantine.names.count == 1)
        #expect(stage.sink.deliveries.first?.losses.map(\.reason) == [.unreadable])
    }

    @Test func whatCannotBeDeletedIsSentOnce() async throws {
        let path = Lock("")
        let stage = try CourierStage { _ in
            let file = path.withLock { $0 }
            try? FileManager.default.removeItem(atPath: file)
            try? FileManager.default.createDirectory(
                atPath: file,
                withIntermediateDirectories: false
            )
            return ReportReceipt(.accepted)
        }
        stage.spool.add(.made(1))
        let name = try #require(stage.spool.folder.names().first)
        path.withLock { $0 = "\(stage.spool.folder.path)/\(name.file)" }
        for _ in 1...2 { #expect(await stage.rest()) }
        #expect(stage.sent == [1])
        #expect(stage.spool.folder.names() == [name])
    }

    @Test func aSinkMayCallTheCourier() async throws {
        let courier = Lock<Courier?>(nil)
        let stage = try CourierStage { _ in
            let courier = courier.withLock { $0 }
            courier?.wake()
            courier?.sendNow()
            return ReportReceipt(.accepted)
        }
        courier.withLock { $0 = stage.courier }
        for second in 1...3 { stage.spool.add(.made(second)) }
        #expect(await stage.rest())
        #expect(stage.sent == [1, 2, 3])
        courier.withLock { $0 = nil }
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible))
    func promise16_aFullDiskDoesNotKeepReportsFromBeingSent() async throws {
        let disk = try SmallDisk()
        let pauses: [ReportCategory: Duration] = [.session: .seconds(60)]
        let stage = try CourierStage(
            [ReportReceipt(.accepted, pauses: pauses)],
            path: disk.path
        )
        for second in 1...2 { stage.spool.add(.made(second)) }
        stage.store.update { [loss] in $0.count(loss) }
        try disk.fill(leaving: 0)
        #expect(await stage.rest())
        #expect(stage.sent == [1, 2])
        #expect(stage.sink.deliveries.map(\.losses) == [[loss], []])
        #expect(stage.store.state.pause(of: .session, at: stage.now) == 60)
        try disk.empty()
        stage.courier.setConsent(.given)
        let known = ReporterStore(directory: disk.path).state
        #expect(known == stage.store.state && known.losses.isEmpty)
    }
    #endif
}
