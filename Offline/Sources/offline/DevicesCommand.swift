// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary

/// `offline devices`: the devices of the local network that may use the library.
///
/// It asks the running server, the only one to which devices can connect.
struct DevicesCommand {
    /// The words of the command line.
    enum Action: Equatable {
        case list(json: Bool)
        case add
        case decide(code: String, letIn: Bool)
        case remove(Int)

        /// Reads the words after `devices`.
        init(_ scanner: inout ArgumentScanner) throws(UsageError) {
            switch scanner.next() {
            case nil: self = .list(json: scanner.flag("--json"))
            case "add": self = .add
            case "allow": self = .decide(code: try Self.code(&scanner), letIn: true)
            case "refuse": self = .decide(code: try Self.code(&scanner), letIn: false)
            case "remove":
                guard let text = scanner.next(), let number = Int(text) else {
                    throw UsageError("`offline devices remove` needs the number of a device.")
                }
                self = .remove(number)
            case let word?:
                throw UsageError(
                    "Unknown action “\(word)” of devices. Use add, allow, refuse or remove."
                )
            }
        }

        private static func code(_ scanner: inout ArgumentScanner) throws(UsageError) -> String {
            guard let code = scanner.next() else {
                throw UsageError("Add the code that the device shows.")
            }
            return code
        }
    }

    let action: Action
    let environment: Environment

    func run() async throws -> ExitStatus {
        guard let server = await LibraryAccess.runningServer(of: environment.directory) else {
            throw RemoteError(
                message: "No server runs for this library. Start it with `offline serve --lan`."
            )
        }
        do {
            try await perform(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return .success
    }

    private func perform(_ server: RemoteLibrary) async throws {
        switch action {
        case .list(json: true):
            let list = try await server.devices()
            Terminal.print(
                String(decoding: try JSONFormat.encode(list, pretty: true), as: UTF8.self)
            )
        case .list(json: false):
            Terminal.print(Self.text(of: try await server.devices()))
        case .add:
            let invitation = try await server.inviteDevice()
            if Terminal.isInteractive { Terminal.note(QRText.text(invitation.rows)) }
            Terminal.print(invitation.address)
        case .decide(let code, let letIn):
            let waiting = try await server.devices().arrivals.filter { $0.code == code }
            guard let device = waiting.first, waiting.count == 1 else {
                throw RemoteError(
                    message:
                        "No device waits with the code “\(code)”. `offline devices` lists them."
                )
            }
            try await server.decide(device.id, letIn: letIn)
            Terminal.print((letIn ? "Let in: " : "Refused: ") + Terminal.clean(device.name))
        case .remove(let number):
            try await server.removeDevice(number)
            Terminal.print("Removed device \(number).")
        }
    }

    private static func text(of list: DeviceList) -> String {
        guard list.isOpen else {
            return "The library is open to this machine only. Start it with `offline serve --lan`."
        }
        let waiting = list.arrivals.map {
            "waits  \($0.name), code \($0.code): `offline devices allow \($0.code)`"
        }
        let known = list.devices.map { device in
            let number = String(device.id).padding(toLength: 6, withPad: " ", startingAt: 0)
            let day = device.seen.formatted(.iso8601.year().month().day())
            return "\(number) \(device.name), last seen \(day)"
        }
        let lines = waiting + known
        return lines.isEmpty
            ? "No device may use the library yet. Run `offline devices add`."
            : lines.map(Terminal.clean).joined(separator: "\n")
    }

    /// Returns the note about a device that waits.
    static func text(of arrival: DeviceArrived) -> String {
        "A device waits: \(arrival.name). If it shows \(arrival.code), let it in on the page, or "
            + "with `offline devices allow \(arrival.code)`."
    }
}
