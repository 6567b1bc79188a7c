// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineServer
@testable import OfflineStore

/// Tests how other devices of the local network gain and lose access.
@Suite(.timeLimit(.minutes(15)))
final class DeviceAccessTests: Sendable {
    private let path: String
    private let library: Library
    private let clock = ManualClock()
    private let sut: DeviceAccess
    private let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"

    init() throws {
        path = NSTemporaryDirectory() + "offline-devices-\(UUID().uuidString)"
        library = try Library(LibraryConfiguration(directory: LibraryDirectory(path: path)))
        sut = try DeviceAccess(library, port: 8440, isEncrypted: false, clock: clock)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the secret of a new ticket.
    private func ticket() throws -> String {
        let address = try #require(sut.invite(at: "192.168.1.5"))
        return String(address.split(separator: "=").last ?? "")
    }

    private func arrive() throws -> AccessToken {
        try #require(sut.enter(try ticket(), from: phone))
    }

    /// Returns what the guard decides about a request of a device.
    private func verdict(
        _ path: String = "/api/items",
        key: AccessToken? = nil,
        host: String = "192.168.1.5:8440",
        method: String = "GET",
        query: [(String, String)] = [],
        with headers: [(String, String)] = []
    ) -> RequestGuard.Verdict {
        let cookies = key.map { [("Cookie", "offline_device_8440=\($0.text)")] } ?? []
        return RequestGuard(devices: sut).verdict(
            on: ServerRequest(
                method,
                path,
                query: query,
                headers: [("Host", host)] + cookies + headers
            )
        )
    }

    private func code(_ verdict: RequestGuard.Verdict) -> String {
        if case .refuse(_, let code, _) = verdict { return code }
        return "\(verdict)"
    }

    @Test func o15_aDeviceIsInOnlyAfterAPersonHasLetItIn() throws {
        let key = try arrive()
        let arrival = try #require(sut.arrivals.first)
        #expect(arrival.name == "Safari on iPhone" && arrival.code.count == 4)
        #expect(code(verdict(key: key)) == "waiting")
        #expect(verdict("/", key: key) == .wait(code: arrival.code))
        let device = try sut.letIn(arrival.id)
        #expect(sut.standing(of: key.text) == .device(device))
        #expect(verdict(key: key) == .allow)
        #expect(sut.arrivals.isEmpty && sut.devices == [device])
    }

    @Test func o15_aDecisionOfANotificationLetsADeviceIn() throws {
        sut.start()
        let key = try arrive()
        let id = try #require(sut.arrivals.first).id
        library.messages.post(DeviceDecision(id: id + 1, letIn: true))
        #expect(sut.devices.isEmpty)
        library.messages.post(DeviceDecision(id: id, letIn: true))
        #expect(verdict(key: key) == .allow)
    }

    @Test func o15_aRefusedDeviceStaysOut() throws {
        let key = try arrive()
        try sut.refuse(try #require(sut.arrivals.first).id)
        #expect(code(verdict(key: key)) == "refused")
        #expect(code(verdict("/", key: key)) == "refused")
        #expect(throws: LibraryError.self) { try self.sut.letIn(1) }
    }

    @Test func o15_aRemovedDeviceIsOutAtOnceAndItsStreamsEnd() throws {
        let key = try arrive()
        let device = try sut.letIn(try #require(sut.arrivals.first).id)
        let ended = Lock(0)
        sut.onRemoval { ended.withLock { $0 += 1 } }
        try sut.remove(device.id)
        #expect(code(verdict(key: key)) == "unknownDevice")
        #expect(ended.withLock { $0 } == 1)
        #expect(throws: LibraryError.self) { try self.sut.remove(device.id) }
    }

    @Test func o15_devicesStayInAfterARestartAndTheirKeysAreNotStored() throws {
        let key = try arrive()
        let device = try sut.letIn(try #require(sut.arrivals.first).id)
        let next = try DeviceAccess(library, port: 8440, isEncrypted: false, clock: clock)
        #expect(next.devices.map(\.id) == [device.id])
        guard case .device = next.standing(of: key.text) else {
            Issue.record("The device is out.")
            return
        }
        let stored = try library.journal.devices.devices().keys
        #expect(!stored.contains(key.text) && stored.count == 1)
    }

    @Test func o15_aTicketAdmitsOneDeviceWithinTenMinutes() throws {
        let used = try ticket()
        #expect(sut.enter(used, from: nil) != nil)
        #expect(sut.enter(used, from: nil) == nil)
        let old = try ticket()
        clock.advance(by: .seconds(601))
        #expect(sut.enter(old, from: nil) == nil)
        #expect(code(verdict("/", query: [("ticket", used)])) == "spentTicket")
    }

    @Test func o15_aDeviceThatIsInSpendsNoSecondTicket() throws {
        let key = try arrive()
        let ticket = try ticket()
        #expect(verdict("/", key: key, query: [("ticket", ticket)]) == .proceed)
        guard case .remember = verdict("/", query: [("ticket", ticket)]) else {
            Issue.record("The ticket is spent.")
            return
        }
    }

    @Test func o15_onlyNumbersAndOwnNamesAreHosts() throws {
        let key = try arrive()
        _ = try sut.letIn(try #require(sut.arrivals.first).id)
        for host in ["192.168.1.5:8440", "10.0.0.7:8440", "[fe80::1]:8440"] {
            #expect(verdict(key: key, host: host) == .allow, "\(host)")
        }
        for host in ["evil.example:8440", "192.168.1.5", "192.168.1.5:80", "[x]:8440", ":8440"] {
            #expect(code(verdict(key: key, host: host)) == "wrongHost", "\(host)")
        }
    }

    @Test func o15_theServersTokenAndForeignPagesDoNotAdmitADevice() throws {
        let key = try arrive()
        _ = try sut.letIn(try #require(sut.arrivals.first).id)
        let token = AccessToken.random().text
        #expect(code(verdict("/", query: [("token", token)])) == "unknownDevice")
        #expect(code(verdict(with: [("Authorization", "Bearer \(key.text)")])) == "unknownDevice")
        #expect(code(verdict(key: .random())) == "unknownDevice")
        #expect(code(verdict()) == "noToken")
        let json = ("Content-Type", "application/json")
        let own = ("Origin", "http://192.168.1.5:8440")
        #expect(verdict(key: key, method: "POST", with: [json, own]) == .allow)
        #expect(code(verdict(key: key, method: "POST", with: [json])) == "foreignOrigin")
        let foreign = ("Origin", "http://evil.example")
        #expect(code(verdict(key: key, method: "POST", with: [json, foreign])) == "foreignOrigin")
    }

    @Test func twoKeysInOneRequestAdmitNobody() throws {
        let key = try arrive()
        _ = try sut.letIn(try #require(sut.arrivals.first).id)
        let second = ("Cookie", "offline_device_8440=\(AccessToken.random().text)")
        #expect(code(verdict(key: key, with: [second])) == "unknownDevice")
    }

    @Test func theMessagesNameTheArrival() throws {
        let arrivals = Lock<[DeviceArrived]>([])
        let token = library.messages.observe(DeviceArrived.self) { message in
            arrivals.withLock { $0.append(message) }
        }
        _ = try arrive()
        let arrival = try #require(sut.arrivals.first)
        #expect(
            arrivals.withLock { $0 } == [
                DeviceArrived(id: arrival.id, name: arrival.name, code: arrival.code)
            ]
        )
        token.cancel()
    }
}
