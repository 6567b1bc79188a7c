// SPDX-License-Identifier: Apache-2.0

/// The open ports and the token of a server that may not exist yet.
package struct ServerSockets: Sendable {
    let own: ListeningSocket
    let devices: ListeningSocket?
    let accessToken: AccessToken
    /// The host and the port for clients on this machine.
    let host: String

    /// Opens the ports.
    ///
    /// - Throws: `ServerError` with `.portTaken` if `configuration.port` is in use,
    ///   `.badConfiguration`, and `.cannotListen`.
    package init(_ configuration: OfflineServer.Configuration) throws(ServerError) {
        accessToken = try Self.token(configuration.token)
        own = try ListeningSocket.open(
            on: configuration.listen,
            port: configuration.port,
            preferred: OfflineServer.Configuration.preferredPort
        )
        host = "\(Self.ownHost(listen: configuration.listen)):\(own.port)"
        guard let wanted = configuration.devices else {
            devices = nil
            return
        }
        do throws(ServerError) {
            devices = try ListeningSocket.open(
                on: "0.0.0.0",
                port: nil,
                preferred: wanted.preferredPort
            )
        } catch {
            own.close()
            throw error
        }
    }

    /// The token that every request must carry.
    package var token: String { accessToken.text }
    /// The scheme, host and port for clients on this machine.
    package var origin: String { "http://\(host)" }
    /// The port for other devices, or nil without access for devices.
    package var devicePort: UInt16? { devices?.port }
    /// The address of the sample stream.
    ///
    /// Requests need the header `Authorization: Bearer TOKEN`.
    package var sampleAddress: String { "\(origin)/sample/sample.m3u8" }

    func close() {
        own.close()
        devices?.close()
    }

    private static func token(_ text: String?) throws(ServerError) -> AccessToken {
        guard let text else { return .random() }
        guard let token = AccessToken(text) else {
            throw ServerError(
                .badConfiguration,
                "The token is malformed. Use 16 to 256 letters, digits, - or _, or give no token "
                    + "to get a random one."
            )
        }
        return token
    }

    /// Returns the host name under which clients on this machine reach a server on that address.
    private static func ownHost(listen: String) -> String {
        switch listen {
        case "0.0.0.0": "127.0.0.1"
        case "::", "::1": "[::1]"
        default: listen.contains(":") ? "[\(listen)]" : listen
        }
    }
}
