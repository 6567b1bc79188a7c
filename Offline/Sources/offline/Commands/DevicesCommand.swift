// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineModel
import OfflineStore

/// `offline devices`: the devices of the local network that may use the library.
///
/// The command asks the running server, because devices can connect only to a running server.
struct DevicesCommand: Command {
    /// The work of a form.
    enum Action {
        case list, add, allow, refuse, remove
    }

    static var forms: [CommandForm] {
        Form("devices", Self(), help: "Lists the devices that may use the library.")
            .details("They use it with `offline serve --lan`. Also lists those that wait.")
            .json(into: \.json)
        Form("devices add", Self(action: .add), help: "Prints an address for one device.")
            .details("With it, or its QR code, the device can ask to be let in for ten minutes.")
        Form("devices allow", Self(action: .allow), help: "Lets in the device with this code.")
            .argument(.code, into: \.code)
        Form("devices refuse", Self(action: .refuse), help: "Refuses the device with this code.")
            .argument(.code, into: \.code)
        Form("devices remove", Self(action: .remove), help: "Removes a device.")
            .details("It can no longer use the library.")
            .argument(.device, into: \.number)
    }

    var action = Action.list
    var code = ""
    var number = 0
    var json = false

    var showsPreviousCrash: Bool { false }

    func run(in environment: Environment) async throws -> ExitStatus {
        guard let server = await LibraryAccess.patientServer(of: environment.directory) else {
            throw RemoteError(
                message: "No server runs for this library. Start it with `offline serve --lan`."
            )
        }
        do {
            try await perform(server)
        } catch {
            server.close()
            throw error
        }
        server.close()
        return .success
    }

    private func perform(_ server: APIClient) async throws {
        switch action {
        case .list where json:
            let list = try await server.call(API.server.devices)
            Terminal.print(
                String(decoding: try JSONFormat.encode(list, pretty: true), as: UTF8.self)
            )
        case .list:
            Terminal.print(Self.text(of: try await server.call(API.server.devices)))
        case .add:
            let invitation = try await server.call(API.server.inviteDevice)
            if Terminal.isInteractive { Terminal.note(QRText.text(invitation.rows)) }
            Terminal.print(invitation.address)
        case .allow, .refuse:
            let letIn = action == .allow
            let waiting = try await server.call(API.server.devices).arrivals.filter {
                $0.code == code
            }
            guard let device = waiting.first, waiting.count == 1 else {
                throw RemoteError(
                    message:
                        "No device waits with the code “\(code)”. `offline devices` lists them."
                )
            }
            try await server.call(
                API.server.decideDevice,
                .init(device.id, DecisionJSON(letIn: letIn))
            )
            Terminal.print((letIn ? "Let in: " : "Refused: ") + Terminal.clean(device.name))
        case .remove:
            try await server.call(API.server.removeDevice, number)
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

extension ValueKind<String> {
    fileprivate static var code: ValueKind {
        .text("CODE", missing: "Add the code that the device shows.")
    }
}

extension ValueKind<Int> {
    fileprivate static var device: ValueKind {
        let remedy = "`offline devices` shows the numbers."
        return ValueKind(
            placeholder: "NUMBER",
            missing: "The device's number is missing. \(remedy)"
        ) { text in
            guard let number = Int(text) else {
                throw UsageError("“\(text)” is not the number of a device. \(remedy)")
            }
            return number
        }
    }
}
