// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge

/// An error of the server's JetStream interface.
struct ServerFault: Error, Decodable {
    /// The kind, similar to a status of HTTP.
    let code: Int
    /// The exact error, or 0 from a server without such numbers.
    let errCode: Int?
    let description: String?

    static let noMessage = 10037
    static let noConsumer = 10014
    static let noStream = 10059

    /// The error for the bridge.
    var transportError: TransportError {
        let text = description ?? "error \(errCode ?? code)"
        return switch errCode {
        case 10002, 10023, 10028, 10047:
            TransportError(.full, "The server has no room left (\(text)). Give it more.")
        case 10077:
            TransportError(.full, "The stream is full (\(text)). Raise its limits.")
        case 10054:
            TransportError(.tooLarge, "The stream refuses frames of this size (\(text)).")
        case 10097:
            TransportError(.tooLarge, "The server refuses headers of this size (\(text)).")
        case Self.noStream:
            TransportError(.noStream, "The stream does not exist (\(text)). Create it.")
        case 10071, 10164:
            TransportError(.superseded, "The stream has a newer frame of the subject (\(text)).")
        case 10039, 10076:
            TransportError(
                .noStream,
                "JetStream is off (\(text)). Enable it for this server and account."
            )
        case 10005, 10008, 10009:
            TransportError(.overdue, "The server cannot answer now (\(text)).")
        case _ where code == 400:
            // A second attempt would also be refused, and would delay everything behind it.
            TransportError(.malformed, "The server refused this (\(text)).")
        default:
            TransportError(.other, "The server refused this (\(text)).")
        }
    }
}
#endif
