// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFiles
import TidingsLock

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
final class FileNotificationStoreTests: Sendable {
    private let folder =
        FileManager.default.temporaryDirectory.path
        + "/tidings-store-\(UUID().uuidString)"
    private var path: String { "\(folder)/state/notifications.json" }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var names: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/state")
        return (names ?? []).sorted()
    }

    private func put(_ content: Data) throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/state",
            withIntermediateDirectories: true
        )
        try content.write(to: URL(filePath: path))
    }

    @Test func theNextStoreReadsTheRecord() async throws {
        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
        #expect(try await store.read() == NotificationRecord())
        #expect(names.isEmpty)
        try await store.update { $0.authorization = .denied }
        #expect(
            try await FileNotificationStore(path: path, lockLimit: .seconds(600)).read()
                .authorization == .denied
        )
        #expect(names == ["notifications.json", "notifications.json.lock"])
        let rights = try FileManager.default.attributesOfItem(atPath: path)
        #expect(rights[.posixPermissions] as? Int == 0o600)
    }

    @Test func aStoreReadsTheChangesOfAnotherStore() async throws {
        let (first, second) = (
            FileNotificationStore(path: path, lockLimit: .seconds(600)),
            FileNotificationStore(path: path, lockLimit: .seconds(600))
        )
        for answer in [AuthorizationAnswer.granted, .denied, .granted, .denied] {
            try await first.update { $0.authorization = answer }
            #expect(try await second.read().authorization == answer)
            try await second.update { $0.authorization = nil }
            #expect(try await first.read().authorization == nil)
        }
    }

    @Test func changesFromTwoProcessesFollowOneAnother() async throws {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { [path] in
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
                        for _ in 0..<100 { try await store.update { $0.badge += 1 } }
                    }
                }
            }
        }
        #expect(
            try await FileNotificationStore(path: path, lockLimit: .seconds(600)).read().badge
                == 200
        )
        #expect(names == ["notifications.json", "notifications.json.lock"])
    }

    /// Two processes that add due requests, and that claim all requests that they find.
    @Test func n12_oneOfTwoProcessesClaimsADueRequest() async throws {
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<2 {
                group.addTask { [path] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, process = process as Int] in
                        try await FileNotificationStoreTests.claimDueRequests(path, process)
                    }
                }
            }
        }
        let taken = try (0..<2).flatMap { process in
            try String(contentsOfFile: "\(path)-\(process)", encoding: .utf8)
                .split(separator: "\n").map { String($0) }
        }
        let all = (0..<2).flatMap { process in (0..<50).map { "\(process)-\($0)" } }
        #expect(taken.sorted() == all.sorted())
    }

    private static func claimDueRequests(_ path: String, _ process: Int) async throws {
        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
        let clock = SystemNotificationClock()
        var taken: [String] = []
        for number in 0..<50 {
            let request = UserNotificationRequest(
                identifier: "\(process)-\(number)",
                content: .init(title: ""),
                trigger: .after(.zero)
            )
            try await store.update { record in
                let moment = clock.moment
                let number = process * 1_000 + number
                _ = try record.schedule.add(request, number: number, at: moment)
            }
            taken += try await store.update { record in
                let due = record.schedule.claim(
                    for: "process \(process)",
                    at: clock.moment,
                    isStart: false
                )
                for one in due { record.schedule.finish(one.number) }
                return due.map(\.request.identifier)
            }
        }
        try taken.joined(separator: "\n").write(
            toFile: "\(path)-\(process)",
            atomically: true,
            encoding: .utf8
        )
    }

    @Test func changesFromManyStoresFollowOneAnother() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [path] in
                    let store = FileNotificationStore(path: path, lockLimit: .seconds(60))
                    for _ in 0..<25 { try await store.update { $0.badge += 1 } }
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try await FileNotificationStore(path: path, lockLimit: .seconds(600)).read().badge
                == 200
        )
    }

    @Test func aThrowingBodyChangesNothing() async throws {
        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
        try await store.update { $0.authorization = .granted }
        let before = try Data(contentsOf: URL(filePath: path))
        await #expect(throws: CancellationError.self) {
            try await store.update { record in
                record.authorization = .denied
                throw CancellationError()
            }
        }
        #expect(try await store.read().authorization == .granted)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func n11_aFileTornAtAnyByteIsSetAside() async throws {
        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
        try await store.update { $0.authorization = .granted }
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in 0..<whole.count {
            try? FileManager.default.removeItem(atPath: "\(folder)/state")
            try put(whole.prefix(count))
            let reports = Lock<[NotificationStoreSetAside]>([])
            let next = FileNotificationStore(path: path, lockLimit: .seconds(600))
            next.start(
                setAside: { message in reports.withLock { $0.append(message) } },
                changed: {}
            )
            #expect(try await next.read() == NotificationRecord())
            let expected = NotificationStoreSetAside(path: path + ".damaged", reason: .damaged)
            #expect(reports.withLock { $0 } == [expected])
            #expect(try Data(contentsOf: URL(filePath: path + ".damaged")) == whole.prefix(count))
            try await next.update { $0.authorization = .denied }
            #expect(try await next.read().authorization == .denied)
        }
    }

    @Test func n11_aFileOfAnUnknownVersionIsSetAside() async throws {
        let content = Data(#"{"version":7,"record":{"everything":"else"}}"#.utf8)
        try put(content)
        let reports = Lock<[NotificationStoreSetAside]>([])
        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
        store.start(setAside: { message in reports.withLock { $0.append(message) } }, changed: {})
        #expect(try await store.read() == NotificationRecord())
        #expect(reports.withLock { $0 }.map(\.reason) == [.unknownVersion(7)])
        #expect(try Data(contentsOf: URL(filePath: path + ".version-7")) == content)
    }

    @Test func n11_filesSetAsideAreNeverReplaced() async throws {
        for number in 0..<12 {
            try put(Data("damaged \(number)".utf8))
            _ = try await FileNotificationStore(path: path, lockLimit: .seconds(600)).read()
        }
        #expect(names.count == 13)
        let first = try String(contentsOfFile: path + ".damaged", encoding: .utf8)
        #expect(first == "damaged 0")
    }

    @Test func aHalfWrittenFileIsIgnored() async throws {
        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
        try await store.update { $0.authorization = .granted }
        try Data("{".utf8).write(to: URL(filePath: path + ".part"))
        #expect(try await store.read().authorization == .granted)
        try await store.update { $0.authorization = .denied }
        #expect(names == ["notifications.json", "notifications.json.lock"])
    }

    @Test func aFullDiskIsReportedAsDiskFull() throws {
        let device = try FileDescriptor("/dev/full", O_WRONLY)
        do throws(SystemError) {
            try device.write(Data([1]))
            Issue.record("The device is not full.")
        } catch {
            #expect(FileNotificationStore.error(error, path).code == .diskFull)
        }
    }

    /// A write on a full disk.
    ///
    /// A limit for the size of files stands for a full disk, so the write ends in the middle.
    @Test func aFullDiskLosesNothing() async throws {
        let store = FileNotificationStore(path: path, lockLimit: .seconds(600))
        try await store.update { $0.authorization = .granted }
        let before = try Data(contentsOf: URL(filePath: path))
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 10, rlim_max: 10)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                try await FileNotificationStore(path: path, lockLimit: .seconds(600)).update {
                    $0.authorization = .denied
                }
                exit(1)
            } catch {
                exit((error as? UserNotificationError)?.code == .diskFull ? 0 : 2)
            }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try await store.read().authorization == .granted)
        #expect(names == ["notifications.json", "notifications.json.lock"])
    }

    @Test func anUnwritablePlaceThrowsATypedError() async throws {
        let store = FileNotificationStore(path: "/proc/nowhere/notifications.json")
        do {
            try await store.update { $0.authorization = .granted }
            Issue.record("Nothing can be written there.")
        } catch {
            #expect((error as? UserNotificationError)?.code == .storeFailed)
        }
    }
}
