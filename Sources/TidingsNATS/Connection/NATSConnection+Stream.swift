// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation
internal import TidingsBridge

extension NATSConnection {
    private struct ByName: Encodable, Sendable {
        var seq: UInt64?
        var lastBySubj: String?
    }

    private struct Found: Decodable, Sendable {
        struct Message: Decodable, Sendable {
            let subject: String
            let seq: UInt64
            let hdrs: Data?
            let data: Data?
            let time: String
        }

        let message: Message
    }

    /// Ensures that the stream of the space exists and can carry the space.
    func prepareStream() async throws(TransportError) {
        let found = try await ask("STREAM.INFO.\(space)", for: StreamDescription.self)
        switch found {
        case .success(let description):
            if let fault = description.config.fault(for: space) {
                throw TransportError(
                    .noStream,
                    "The stream \(space) exists, but \(fault). Change or delete it."
                )
            }
            describe(description.config)
        case .failure(let fault) where fault.errCode == ServerFault.noStream:
            describe(try await createStream())
        case .failure(let fault):
            throw fault.transportError
        }
    }

    private func createStream() async throws(TransportError) -> StreamSettings {
        let wanted = StreamSettings(space: space, configuration.stream)
        let created: Result<StreamDescription, ServerFault>
        do {
            created = try await ask("STREAM.CREATE.\(space)", wanted)
        } catch  where error.code == .notPermitted {
            throw TransportError(
                .noStream,
                "The stream \(space) does not exist and this user may not create it."
            )
        }
        switch created {
        case .success(let description):
            let differences = wanted.differences(from: description.config)
            guard differences.isEmpty else {
                let names = differences.joined(separator: ", ")
                throw TransportError(
                    .other,
                    "The server has created the stream without: \(names). Update it."
                )
            }
            return description.config
        case .failure(let fault):
            throw fault.transportError
        }
    }

    func stream() async throws(TransportError) -> StreamState {
        switch try await ask("STREAM.INFO.\(space)", for: StreamDescription.self) {
        case .success(let description): return description.streamState
        case .failure(let fault): throw fail(fault)
        }
    }

    func frame(at sequence: UInt64) async throws(TransportError) -> StoredFrame? {
        // The server would read 0 as a missing number.
        if sequence == 0 { return nil }
        return try await message(ByName(seq: sequence))
    }

    func newestFrame(of subject: String) async throws(TransportError) -> StoredFrame? {
        try await message(ByName(lastBySubj: subject))
    }

    private func message(_ name: ByName) async throws(TransportError) -> StoredFrame? {
        switch try await ask("STREAM.MSG.GET.\(space)", name, for: Found.self) {
        case .success(let found):
            let message = found.message
            let frame = BridgeFrame(
                subject: message.subject,
                headers: FrameForm.headers(block: [UInt8](message.hdrs ?? Data())),
                body: [UInt8](message.data ?? Data())
            )
            return StoredFrame(
                sequence: message.seq,
                time: ServerTime.date(message.time) ?? .distantPast,
                frame: frame
            )
        case .failure(let fault) where fault.errCode == ServerFault.noMessage:
            return nil
        case .failure(let fault):
            throw fail(fault)
        }
    }

    /// Ends the connection if the stream is gone, so that the next connection creates the stream.
    func fail(_ fault: ServerFault) -> TransportError {
        guard fault.errCode == ServerFault.noStream else { return fault.transportError }
        parts.end.end(.lost, "The stream was deleted.")
        return parts.end.reason ?? fault.transportError
    }
}
#endif
