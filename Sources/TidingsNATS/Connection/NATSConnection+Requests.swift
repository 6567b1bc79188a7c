// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation
internal import TidingsBridge

/// An answer of the server's JetStream interface.
enum ServerAnswer<Value: Decodable> {
    private struct Envelope: Decodable {
        let error: ServerFault?
    }

    /// Reads an answer.
    static func read(_ bytes: [UInt8]) throws(ServerFault) -> Value {
        let data = Data(bytes)
        do {
            if try decoder.decode(Envelope.self, from: data).error == nil {
                return try decoder.decode(Value.self, from: data)
            }
        } catch {
            throw ServerFault.unreadable
        }
        throw fault(in: data)
    }

    /// Reads the error of an answer.
    static func fault(in data: Data) -> ServerFault {
        (try? decoder.decode(Envelope.self, from: data))?.error ?? .unreadable
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

/// The content of an empty answer.
struct Nothing: Decodable {}

extension ServerFault {
    static let unreadable = ServerFault(
        code: 500,
        errCode: nil,
        description: "the answer is not readable"
    )
}

extension NATSConnection {
    /// Sends a request to the server's JetStream interface.
    ///
    /// The name of the call is the part of the subject behind `$JS.API.`.
    ///
    /// The method returns the answer or the server's error, and throws the end of the connection.
    func ask<Value: Decodable & Sendable>(
        _ call: String,
        _ body: (any Encodable & Sendable)? = nil,
        for _: Value.Type = Value.self
    ) async throws(TransportError) -> Result<Value, ServerFault> {
        try parts.end.check()
        let text = body.map(Self.json) ?? ""
        let subject = "$JS.API.\(call)"
        let answer = await parts.requests.answer(
            to: subject,
            within: configuration.answerTimeout
        ) { [self] number in
            queue.run { self.sendRequest(number, to: subject, text) }
        }
        let bytes = try answer.get()
        do throws(ServerFault) {
            return .success(try ServerAnswer<Value>.read(bytes))
        } catch {
            return .failure(error)
        }
    }

    private func sendRequest(_ number: Int, to subject: String, _ text: String) {
        // The check also covers a request between the end of the connection and the calls of the
        // listeners.
        if let reason = parts.end.reason { return parts.requests.resolve(number, .failure(reason)) }
        do throws(ClientFailure) {
            try client.publish(to: subject, replyTo: "\(inbox).r.\(number)", text)
        } catch {
            parts.end(after: error)
        }
    }

    /// Sends a text to a subject, such as an acknowledgement, in the order of the calls.
    func post(_ text: String, to subject: String, replyTo reply: String? = nil) {
        queue.run { [client, parts] in
            // After a call of `close`, everything posted before the call is still sent.
            if let reason = parts.end.reason, reason.code != .closed { return }
            do throws(ClientFailure) {
                try client.publish(to: subject, replyTo: reply, text)
            } catch {
                parts.end(after: error)
            }
        }
    }

    static func json(_ value: any Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // The values of this module have only numbers and strings, which are always encodable.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
#endif
