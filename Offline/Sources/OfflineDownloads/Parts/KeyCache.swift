// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import Tidings
import TidingsHTTP
import TidingsLock

/// The decryption keys of one item, in memory only.
///
/// One request fetches a key for all parts that wait for the key. The cache does not keep a failed
/// request.
final class KeyCache: Sendable {
    fileprivate static let keyLength = 16
    private let keys = Lock<[WebAddress: Task<[UInt8], any Error>]>([:])
    private let hosts: HostConnections

    /// Creates a cache without keys, whose requests take places.
    init(hosts: HostConnections) {
        self.hosts = hosts
    }

    /// Returns the key of a part, or nil if the part is not encrypted.
    func key(for part: Part, endpoint: HTTPClients.Endpoint) async throws -> [UInt8]? {
        guard let address = part.key?.address else { return nil }
        let task = keys.withLock { keys in
            if let task = keys[address] { return task }
            let task = Task { [hosts] in
                let host = address.host
                let place = try await hosts.enter(host, isLive: endpoint.isLive)
                defer { place.leave() }
                return try await Self.fetch(address, endpoint: endpoint, at: place)
            }
            keys[address] = task
            return task
        }
        do {
            // The cancellation affects the request for all parts. All parts are always cancelled
            // together.
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            keys.withLock { keys in
                if keys[address] == task { keys[address] = nil }
            }
            throw error
        }
    }

    private static func fetch(
        _ address: WebAddress,
        endpoint: HTTPClients.Endpoint,
        at place: HostConnections.Place
    ) async throws -> [UInt8] {
        let receiver = KeyReceiver(place)
        _ = try await endpoint.client.perform(endpoint.request(address), receiver: receiver)
        let body = receiver.body
        guard body.count == keyLength else {
            throw DownloadError(
                .wrongKey,
                "The key at \(address.redacted) has \(body.count) bytes instead of \(keyLength). "
                    + "The server may require a login."
            )
        }
        return body
    }
}

/// Receives a key.
///
/// From a longer body, the receiver keeps only enough bytes to show that the body is not a key.
private final class KeyReceiver: HTTPReceiver {
    private let place: HostConnections.Place
    private let bytes = Lock<[UInt8]>([])

    init(_ place: HostConnections.Place) {
        self.place = place
    }

    var body: [UInt8] { bytes.withLock { $0 } }

    func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        place.move(to: head.address.host)
        guard head.status == 200 else { throw DownloadError(status: head.status, head: head) }
        return .proceed
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        let count = self.bytes.withLock { body in
            body += bytes.prefix(KeyCache.keyLength * 64 - body.count)
            return body.count
        }
        return count < KeyCache.keyLength * 64 ? .proceed : .stop(.complete)
    }
}
