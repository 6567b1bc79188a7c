// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import CTidingsNATS
internal import Foundation
import TidingsLock

// All calls of the C library are in this folder. The calls use only the library's connections,
// messages and subscriptions, because the library's JetStream calls corrupt the memory when the
// network is cut.

/// A call of the C library that failed.
enum ClientFailure: Error {
    /// No server accepted the connection.
    case unreachable
    /// The server refused the credentials.
    case authentication
    /// The encryption failed, or only one side supports the required encryption.
    case encryption
    /// The message is larger than the server accepts.
    case tooLarge
    /// The socket accepted or returned no bytes in time.
    case timedOut
    /// The connection is closed.
    case closed
    /// Another failure, with the number.
    case status(UInt32)

    init(_ status: natsStatus) {
        self =
            switch status {
            case NATS_NO_SERVER, NATS_ADDRESS_MISSING: .unreachable
            case NATS_CONNECTION_AUTH_FAILED: .authentication
            case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_WANTED, NATS_SECURE_CONNECTION_REQUIRED:
                .encryption
            case NATS_MAX_PAYLOAD: .tooLarge
            case NATS_TIMEOUT: .timedOut
            case NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION,
                NATS_IO_ERROR, NATS_INVALID_SUBSCRIPTION:
                .closed
            default: .status(UInt32(status.rawValue))
            }
    }
}

/// Throws unless a call has succeeded.
func check(_ status: natsStatus) throws(ClientFailure) {
    if status != NATS_OK { throw ClientFailure(status) }
}

/// One connection of the C library, which is destroyed with the last reference.
final class ClientConnection: Sendable {
    private let handle: ConnectionHandle
    private let registration: Int

    /// Connects, and blocks the thread until the connection has succeeded or failed.
    init(_ settings: ClientSettings, events: ClientEvents) throws(ClientFailure) {
        registration = EventRegistry.shared.add(events)
        do throws(ClientFailure) {
            handle = try ConnectionHandle(settings, registration: registration)
        } catch {
            EventRegistry.shared.remove(registration)
            throw error
        }
    }

    deinit {
        EventRegistry.shared.remove(registration)
    }

    /// The size in bytes of the largest payload, headers included.
    var largestPayload: Int { Int(natsConnection_GetMaxPayload(handle.pointer)) }

    /// Adds a message to the buffer.
    ///
    /// The buffer is sent when it is full, about a millisecond later, or by ``flush(within:)``.
    ///
    /// The call blocks the thread while the socket accepts no bytes, until the deadline.
    func publish(_ message: borrowing OutgoingMessage) throws(ClientFailure) {
        try check(natsConnection_PublishMsg(handle.pointer, message.pointer))
    }

    /// Sends a message without headers.
    func publish(to subject: String, replyTo reply: String?, _ text: String) throws(ClientFailure) {
        let status =
            if let reply {
                natsConnection_PublishRequestString(handle.pointer, subject, reply, text)
            } else {
                natsConnection_PublishString(handle.pointer, subject, text)
            }
        try check(status)
    }

    /// Sends the buffer, and blocks the thread until the server has answered.
    func flush(within limit: Duration) throws(ClientFailure) {
        try check(natsConnection_FlushTimeout(handle.pointer, limit.milliseconds))
    }

    /// Ends the connection, and blocks the thread until the connection's threads have ended.
    func close() {
        natsConnection_Close(handle.pointer)
    }

    /// Calls `receive` on a thread of the library with each message.
    ///
    /// The closure must only enqueue, so that no code of a user runs on that thread.
    func subscribe(
        to subject: String,
        group: String? = nil,
        receive: @escaping @Sendable (borrowing IncomingMessage) -> Void
    ) throws(ClientFailure) -> ClientSubscription {
        let receiver = Unmanaged.passRetained(Receiver(receive))
        var pointer: OpaquePointer?
        let status =
            if let group {
                natsConnection_QueueSubscribe(
                    &pointer,
                    handle.pointer,
                    subject,
                    group,
                    receiveMessage,
                    receiver.toOpaque()
                )
            } else {
                natsConnection_Subscribe(
                    &pointer,
                    handle.pointer,
                    subject,
                    receiveMessage,
                    receiver.toOpaque()
                )
            }
        guard status == NATS_OK, let pointer else {
            receiver.release()
            throw ClientFailure(status)
        }
        // If the connection has ended since then, the library refuses this call. A thread of the
        // library may still be about to call the receiver, which therefore stays in memory.
        natsSubscription_SetOnCompleteCB(pointer, releaseReceiver, receiver.toOpaque())
        return ClientSubscription(pointer, of: self)
    }
}

/// One subscription, which is destroyed with the last reference.
final class ClientSubscription: Sendable {
    private let handle: SubscriptionHandle
    // The reference keeps the connection until the subscription is destroyed.
    private let connection: ClientConnection

    fileprivate init(_ pointer: OpaquePointer, of connection: ClientConnection) {
        handle = SubscriptionHandle(pointer)
        self.connection = connection
    }

    /// The number of messages that the library dropped because the library's queue was full.
    var dropped: Int {
        var count: Int64 = 0
        natsSubscription_GetDropped(handle.pointer, &count)
        return Int(count)
    }

    /// Ends the subscription.
    func end() {
        natsSubscription_Unsubscribe(handle.pointer)
    }
}

// MARK: - Owners of pointers

// Unchecked: the library locks its connections, and only the owner destroys the connection.
private struct ConnectionHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ settings: ClientSettings, registration: Int) throws(ClientFailure) {
        let signer = settings.identity?.seed.map(Signer.init)
        let options = try OptionsHandle()
        try options.set(settings, signer: signer)
        let context = UnsafeMutableRawPointer(bitPattern: registration)
        try check(natsOptions_SetClosedCB(options.pointer, connectionEnded, context))
        // The handler also replaces the library's handler, which prints each error.
        try check(natsOptions_SetErrorHandler(options.pointer, connectionFailed, context))
        var pointer: OpaquePointer?
        // The signer is called only while the connection is being made.
        let status = withExtendedLifetime(signer) {
            natsConnection_Connect(&pointer, options.pointer)
        }
        guard status == NATS_OK, let pointer else { throw ClientFailure(status) }
        self.pointer = pointer
    }

    deinit {
        natsConnection_Destroy(pointer)
    }
}

// Unchecked for the same reasons as the connection.
private struct SubscriptionHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit {
        natsSubscription_Destroy(pointer)
    }
}

private struct OptionsHandle: ~Copyable {
    let pointer: OpaquePointer

    init() throws(ClientFailure) {
        var pointer: OpaquePointer?
        let status = natsOptions_Create(&pointer)
        guard status == NATS_OK, let pointer else { throw ClientFailure(status) }
        self.pointer = pointer
    }

    deinit {
        natsOptions_Destroy(pointer)
    }

    func set(_ settings: ClientSettings, signer: Signer?) throws(ClientFailure) {
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        try check(natsOptions_SetURL(pointer, "nats://\(host):\(settings.port)"))
        try check(natsOptions_SetName(pointer, settings.name))
        // A reconnect by the library would let later messages pass lost messages.
        try check(natsOptions_SetAllowReconnect(pointer, false))
        try check(natsOptions_SetIgnoreDiscoveredServers(pointer, true))
        try check(natsOptions_SetTimeout(pointer, settings.connectTimeout.milliseconds))
        // Without a deadline, the socket blocks for as long as the network is cut. The library
        // closes a socket that misses the deadline, so that no bytes follow the lost bytes.
        try check(natsOptions_SetWriteDeadline(pointer, settings.writeDeadline.milliseconds))
        try check(natsOptions_SetPingInterval(pointer, settings.pingInterval.milliseconds))
        try check(
            natsOptions_SetMaxPingsOut(pointer, Int32(clamping: settings.unansweredPings))
        )
        try check(natsOptions_SetNoEcho(pointer, !settings.hasEcho))
        if let identity = settings.identity { try set(identity, signer: signer) }
        if let tls = settings.tls { try set(tls, host: settings.host) }
    }

    private func set(_ identity: ResolvedIdentity, signer: Signer?) throws(ClientFailure) {
        switch identity {
        case .token(let token):
            try check(natsOptions_SetToken(pointer, token))
        case .user(let name, let password):
            try check(natsOptions_SetUserInfo(pointer, name, password))
        case .key(let publicKey, _):
            guard let signer else { return }
            try check(
                natsOptions_SetNKey(
                    pointer,
                    publicKey,
                    sign,
                    Unmanaged.passUnretained(signer).toOpaque()
                )
            )
        case .credentialsFile(let path):
            try check(natsOptions_SetUserCredentialsFromFiles(pointer, path, nil))
        }
    }

    private func set(_ tls: ResolvedTLS, host: String) throws(ClientFailure) {
        try check(natsOptions_SetSecure(pointer, true))
        if let authorities = tls.authorities {
            try check(natsOptions_SetCATrustedCertificates(pointer, authorities))
        }
        if let certificate = tls.certificate {
            try check(
                natsOptions_SetCertificatesChain(pointer, certificate.chain, certificate.key)
            )
        }
        // The library compares no name unless a name is set.
        try check(natsOptions_SetExpectedHostname(pointer, tls.serverName ?? host))
    }
}

// MARK: - Callbacks
// Functions are used instead of closures, because a closure written in isolated code would stop the
// program when a thread of the library calls that closure.

// Unchecked: the library calls the receiver of a subscription on one thread at a time.
private final class Receiver: @unchecked Sendable {
    private let receive: @Sendable (borrowing IncomingMessage) -> Void
    /// A lower bound of the number of messages that the library holds.
    private var waiting: UInt64 = 0
    private let used = UsedMessages()

    init(_ receive: @escaping @Sendable (borrowing IncomingMessage) -> Void) {
        self.receive = receive
    }

    func receive(_ pointer: OpaquePointer, of subscription: OpaquePointer?) {
        // The number is read rarely, because the library locks its queue for the answer.
        if waiting > 0 { waiting -= 1 }
        if waiting == 0, natsSubscription_QueuedMsgs(subscription, &waiting) != NATS_OK {
            waiting = 0
        }
        receive(IncomingMessage(pointer: pointer, isLast: waiting == 0))
        used.append(pointer)
    }
}

private final class Signer: Sendable {
    let seed: String

    init(_ seed: String) { self.seed = seed }
}

/// Finds the events of a connection by a number, because the library may call back after the
/// connection was destroyed.
private final class EventRegistry: Sendable {
    static let shared = EventRegistry()
    private let state = Lock((last: 0, events: [Int: ClientEvents]()))

    func add(_ events: ClientEvents) -> Int {
        state.withLock { state in
            state.last += 1
            state.events[state.last] = events
            return state.last
        }
    }

    func remove(_ registration: Int) {
        // The events are released after the lock.
        _ = state.withLock { $0.events.removeValue(forKey: registration) }
    }

    func events(of context: UnsafeMutableRawPointer?) -> ClientEvents? {
        let registration = Int(bitPattern: context)
        return state.withLock { $0.events[registration] }
    }
}

private func connectionEnded(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    EventRegistry.shared.events(of: context)?.ended()
}

private func connectionFailed(
    connection: OpaquePointer?,
    _: OpaquePointer?,
    status: natsStatus,
    context: UnsafeMutableRawPointer?
) {
    guard let events = EventRegistry.shared.events(of: context) else { return }
    var text: UnsafePointer<CChar>?
    guard natsConnection_GetLastError(connection, &text) != NATS_OK, let text else { return }
    events.failed(String(cString: text))
}

private func receiveMessage(
    _: OpaquePointer?,
    subscription: OpaquePointer?,
    message: OpaquePointer?,
    context: UnsafeMutableRawPointer?
) {
    guard let message, let context else { return }
    Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
        .receive(message, of: subscription)
}

private func releaseReceiver(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Receiver>.fromOpaque(context).release()
}

private func sign(
    _: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    signature: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    length: UnsafeMutablePointer<Int32>?,
    nonce: UnsafePointer<CChar>?,
    context: UnsafeMutableRawPointer?
) -> natsStatus {
    guard let context else { return NATS_ERR }
    let signer = Unmanaged<Signer>.fromOpaque(context).takeUnretainedValue()
    let status = nats_Sign(signer.seed, nonce, signature, length)
    // An invalid seed counts as refused, and not as an unreachable server.
    return status == NATS_OK ? status : NATS_CONNECTION_AUTH_FAILED
}
#endif
