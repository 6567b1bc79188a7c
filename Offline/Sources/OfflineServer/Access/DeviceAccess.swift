// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineLibrary
import OfflineModel
import OfflineStore
import Tidings
import TidingsLock

/// Lets other devices use the library over the local network.
///
/// A device presents a ticket, which is part of an address shown as a QR code, and gets a key. The
/// key admits the device only after the user has let the device in, from a device that is already
/// in. The key is valid until the user removes the device.
final class DeviceAccess: Sendable {
    /// The rights of a request with a key.
    enum Standing: Equatable {
        case device(Device)
        /// The user has not decided yet.
        case waiting(code: String)
        case refused
        case unknown
    }

    private struct State {
        /// The devices by the checksums of their keys.
        var devices: [String: Device]
        var arrivals = Arrivals()
        var endStreams: @Sendable () -> Void = {}
    }

    /// The time for which an invitation is valid.
    static let invitationLifetime = Duration.seconds(600)
    /// The number of digits in an invitation's ticket.
    ///
    /// A user may have to type the digits, and an attacker cannot try 80 bits in ten minutes.
    private static let ticketDigits = 20
    /// The time between two changes of a device's last request in the registry.
    private static let seenInterval: TimeInterval = 3_600

    let port: UInt16
    private let scheme: String
    private let library: Library
    private let tickets: EntryTickets
    private let elapsed: @Sendable () -> Duration
    private let state: Lock<State>

    /// Reads the devices from the registry.
    ///
    /// - Throws: `ServerError` with `.cannotListen` if the registry cannot be read.
    init(
        _ library: Library,
        port: UInt16,
        isEncrypted: Bool,
        clock: any Clock<Duration>
    ) throws(ServerError) {
        self.library = library
        self.port = port
        scheme = isEncrypted ? "https" : "http"
        tickets = EntryTickets(clock: clock, lifetime: Self.invitationLifetime)
        elapsed = EntryTickets.stopwatch(clock)
        do {
            state = Lock(State(devices: try library.journal.devices.devices()))
        } catch {
            throw ServerError(
                .cannotListen,
                "The devices of the library cannot be read. \(error.message)",
                cause: error
            )
        }
    }

    /// Starts to observe the decisions of notifications.
    func start() {
        library.messages.observe(DeviceDecision.self, owner: self) { access, decision in
            do throws(LibraryError) {
                if decision.letIn {
                    _ = try access.letIn(decision.id)
                } else {
                    try access.refuse(decision.id)
                }
            } catch {
                // A page may have answered before the notification.
                guard error.code != .notFound else { return }
                access.library.messages.post(RegistryFailed(operation: "letIn", error: error))
            }
        }
    }

    /// Whether devices use encrypted connections.
    var isEncrypted: Bool { scheme == "https" }

    /// The address for devices, or nil without a network.
    var address: String? { LocalAddress.text().map { "\(scheme)://\($0):\(port)" } }

    /// Creates an address that lets one device present itself.
    ///
    /// - Parameter host: The address of this machine in the local network.
    /// - Returns: The address, or nil without a network.
    func invite(at host: String? = LocalAddress.text()) -> String? {
        host.map {
            "\(scheme)://\($0):\(port)/?ticket=\(tickets.issue(digits: Self.ticketDigits).text)"
        }
    }

    /// Sets the closure that ends the event streams of all devices.
    ///
    /// The devices then reconnect.
    func onRemoval(_ endStreams: @escaping @Sendable () -> Void) {
        state.withLock { $0.endStreams = endStreams }
    }

    /// Returns the new key of a device that presents a ticket, or nil if the ticket is not valid.
    func enter(_ ticket: String, from userAgent: String?) -> AccessToken? {
        guard tickets.redeem(ticket) else { return nil }
        let key = AccessToken.random()
        let name = BrowserName.text(userAgent)
        let code = String(format: "%04d", Int.random(in: 0...9_999))
        let time = elapsed()
        let arrival = state.withLock { state in
            state.arrivals.add(name, code: code, key: key, at: time)
        }
        library.messages.post(DeviceArrived(id: arrival.id, name: name, code: code))
        library.messages.post(DevicesChanged())
        return key
    }

    /// Returns the rights of a key.
    func standing(of key: String) -> Standing {
        guard AccessToken(key) != nil, let checksum = Device.checksum(ofKey: key) else {
            return .unknown
        }
        let time = elapsed()
        let now = Date()
        let (standing, isNoted) = state.withLock { state -> (Standing, Bool) in
            if var device = state.devices[checksum] {
                let isNoted = now.timeIntervalSince(device.seen) > Self.seenInterval
                if isNoted {
                    device.seen = now
                    state.devices[checksum] = device
                }
                return (.device(device), isNoted)
            }
            guard let arrival = state.arrivals.arrival(withKey: key, at: time) else {
                return (.unknown, false)
            }
            return (arrival.isRefused ? .refused : .waiting(code: arrival.code), false)
        }
        if isNoted, case .device(let device) = standing { note(device) }
        return standing
    }

    /// Stores the time of a request, but not on the server's thread.
    private func note(_ device: Device) {
        let journal = library.journal
        // A lost time is harmless, and the registry reports the failure itself.
        Task { try? journal.devices.noteDevice(device.id, seenAt: device.seen) }
    }

    /// The devices, with the newest first.
    var devices: [Device] {
        state.withLock { Array($0.devices.values) }.sorted { $0.id > $1.id }
    }

    /// The devices that wait to be let in.
    var arrivals: [Arrivals.Arrival] {
        let time = elapsed()
        return state.withLock { $0.arrivals.waiting(at: time) }
    }

    /// Lets a device in.
    ///
    /// - Throws: `LibraryError` with `.notFound` if no device with this number waits, `.diskFull`
    ///   or `.database`.
    func letIn(_ id: Int) throws(LibraryError) -> Device {
        let time = elapsed()
        let waiting = state.withLock { $0.arrivals.waiting(at: time) }
        guard let arrival = waiting.first(where: { $0.id == id }),
            let checksum = Device.checksum(ofKey: arrival.key.text)
        else { throw Self.nobodyWaits }
        let device: Device
        do {
            device = try library.journal.devices.addDevice(
                named: arrival.name,
                keyChecksum: checksum,
                at: Date()
            )
        } catch {
            throw LibraryError(error)
        }
        state.withLock { state in
            state.devices[checksum] = device
            state.arrivals.remove(id)
        }
        library.messages.post(DeviceAnswered(id: id))
        library.messages.post(DevicesChanged())
        return device
    }

    /// Refuses a device.
    ///
    /// - Throws: `LibraryError` with `.notFound` if no device with this number waits.
    func refuse(_ id: Int) throws(LibraryError) {
        let time = elapsed()
        guard state.withLock({ $0.arrivals.refuse(id, at: time) }) else { throw Self.nobodyWaits }
        library.messages.post(DeviceAnswered(id: id))
        library.messages.post(DevicesChanged())
    }

    /// Removes a device and ends the event streams of all devices.
    ///
    /// The server refuses the next request of the removed device.
    ///
    /// - Throws: `LibraryError` with `.notFound` if no device has this number, `.diskFull` or
    ///   `.database`.
    func remove(_ id: Int) throws(LibraryError) {
        guard devices.contains(where: { $0.id == id }) else {
            throw LibraryError(
                .notFound,
                "No device has the number \(id). Use a number from the list of devices."
            )
        }
        try LibraryError.rethrowing { try library.journal.devices.removeDevice(id) }
        let endStreams = state.withLock { state in
            state.devices = state.devices.filter { $0.value.id != id }
            return state.endStreams
        }
        endStreams()
        library.messages.post(DevicesChanged())
    }

    private static let nobodyWaits = LibraryError(
        .notFound,
        "No device waits with this number. Scan the code again on the device."
    )
}
