// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineServer
import OfflineStore

extension ServeCommand {
    private static let fileLimit = 1 << 20

    /// Returns the access of other devices, with the certificate of the command line.
    func deviceAccess() throws(UsageError) -> OfflineServer.Configuration.Devices {
        guard let chain = serve.certificateFile, let key = serve.keyFile else {
            return .init()
        }
        return .init(
            certificate: ServerCertificate(
                chain: try Self.text(ofFile: chain),
                key: try Self.text(ofFile: key)
            )
        )
    }

    private static func text(ofFile path: String) throws(UsageError) -> String {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: fileLimit), data.count < fileLimit
        else {
            throw UsageError("The file \(path) cannot be read. Name a PEM file that you may read.")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Prints how a phone can use the library, if devices can connect.
    func showInvitation(of server: OfflineServer) {
        guard serve.opensToDevices else { return }
        guard let address = server.inviteDevice() else {
            Terminal.note(
                "This machine has no address in a network. Connect it, then run `offline devices add`."
            )
            return
        }
        if Terminal.isInteractive, let code = QRCode(address) {
            Terminal.note(QRText.text(code.rows))
        }
        Terminal.note("To use the library on a phone, scan the code or open \(address)")
        Terminal.note("It admits one device within ten minutes, after you let it in.")
    }
}

/// The port at which devices find the library, stored in the registry.
struct DevicePort: RawRepresentable, Sendable {
    let rawPort: UInt16

    var rawValue: String { String(rawPort) }

    init(rawPort: UInt16) {
        self.rawPort = rawPort
    }

    init?(rawValue: String) {
        guard let port = UInt16(rawValue), port > 0 else { return nil }
        rawPort = port
    }
}

extension PreferenceKey<DevicePort> {
    static var devicePort: PreferenceKey {
        let first = OfflineServer.Configuration.Devices.firstPort
        return PreferenceKey("device_port", default: DevicePort(rawPort: first))
    }
}
