// SPDX-License-Identifier: Apache-2.0

/// A way to carry frames between the processes of a space, such as a server with stored streams.
///
/// A transport makes connections and nothing else: it does not reconnect, retry, buffer across
/// connections or remember positions. The bridge does that. The contract suite of the module
/// `TidingsBridgeTesting` checks an implementation.
///
/// Subjects that start with the name of the space and a dot, such as `shop.orders.placed.eu`,
/// belong to the one stream of the space. All other subjects are transient and never stored.
///
/// ```swift
/// let connection = try await transport.connect(to: "shop", epoch: 1)
/// let stream = try await connection.stream()
/// print(stream.first, stream.last)
/// connection.close()
/// ```
public protocol BridgeTransport: Sendable {
    /// Connects to the server and makes sure that the stream of the space exists.
    ///
    /// - Parameters:
    ///   - space: The name of the space, of the letters A to Z and a to z, digits, `-` and `_`.
    ///   - epoch: The number of the connection, which grows with each attempt of one bridge.
    /// - Returns: A connection that works.
    /// - Throws: The reason of the failure, or `closed` if the task was cancelled.
    func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError)
        -> any BridgeConnection
}

/// One connection of a transport, from the start to the only end.
///
/// A connection never reconnects. After its end, every call throws the same error: the reason of
/// the end. A lost server ends the connection within the limits of the transport, even if no call
/// is running. All calls are safe from any thread and may run at the same time. No call blocks its
/// thread for long, and no code of the bridge runs on a thread of the transport.
public protocol BridgeConnection: Sendable {
    /// The promises of this connection, as reported by the server.
    var guarantees: TransportGuarantees { get }

    /// The number of transient frames that this connection had to drop, in both directions.
    var transientLosses: Int { get }

    /// Sends frames to the stream, in their order, and does not wait for the acknowledgements.
    ///
    /// The call waits only while the connection accepts no more bytes. The frames reach the stream
    /// in the order of the calls, and only one call runs at a time. The stream drops a frame whose
    /// ``FrameHeaders/id`` was already stored within ``TransportGuarantees/duplicateWindow``. The
    /// header `Tidings-After` of a frame is a sequence. The stream refuses a frame with this header
    /// as `superseded` unless the newest frame of the subject has that sequence, or the subject has
    /// no frame and the header is 0.
    ///
    /// - Throws: The end of the connection. Frames without an acknowledgement may be stored or not.
    func publish(_ frames: [PublishedFrame]) async throws(TransportError)

    /// Waits for acknowledgements of published frames and returns the received acknowledgements.
    ///
    /// The order is the server's order. An acknowledgement that never arrives is not reported, and
    /// the bridge has a separate deadline.
    ///
    /// - Parameter limit: The largest number of acknowledgements to return, at least 1.
    /// - Returns: At least one acknowledgement, or an empty array only if the task was cancelled.
    /// - Throws: The end of the connection, after all acknowledgements that arrived before.
    func acknowledgements(
        atMost limit: Int
    ) async throws(TransportError)
        -> [PublishAcknowledgement]

    /// Returns the identity and the extent of the stream, as they are now.
    func stream() async throws(TransportError) -> StreamState

    /// Returns the stored frame with a sequence number, or nil if the stream has none.
    func frame(at sequence: UInt64) async throws(TransportError) -> StoredFrame?

    /// Returns the newest stored frame of one subject, or nil if the stream has none.
    func newestFrame(of subject: String) async throws(TransportError) -> StoredFrame?

    /// Reads stored frames, and then new frames as they arrive, without a gap or a repeat between.
    ///
    /// - Parameters:
    ///   - start: The first frame.
    ///   - filter: The subjects to read.
    /// - Returns: A reader of the matching frames only, whose sequence numbers grow.
    /// - Throws: The end of the connection.
    func read(
        from start: StreamStart,
        _ filter: SubjectFilter
    ) async throws(TransportError)
        -> any FrameReader<StoredFrame>

    /// Reads stored frames together with a group of connections, each frame by one connection.
    ///
    /// The server remembers the position of the group. A frame that is not acknowledged in time, or
    /// whose connection has ended, goes to another connection.
    ///
    /// - Throws: The end of the connection, or `unsupported` if the transport cannot share work, as
    ///   in the default implementation. The connection then goes on without shared work.
    func share(_ group: SharedGroup) async throws(TransportError) -> any SharedReader

    /// Sends transient frames to every other connection that is subscribed now, and stores nothing.
    ///
    /// This connection does not receive its own frames, so that a group gives a frame to another
    /// member. If no other connection receives a frame with a reply subject, the server immediately
    /// answers with a frame whose header `Tidings-Status` is `no-responder`.
    ///
    /// - Throws: The end of the connection. Frames may then be delivered or lost.
    func send(_ frames: [BridgeFrame]) async throws(TransportError)

    /// Receives transient frames.
    ///
    /// When the call returns, the server has the subscription and delivers frames sent after that.
    ///
    /// - Parameters:
    ///   - filter: The subjects to receive.
    ///   - group: The name of the subscriptions that share the frames, so that each frame goes to
    ///     one subscription. With nil, each frame goes to all subscriptions. A transport without
    ///     such groups ignores the name.
    /// - Returns: A reader that drops and counts frames while its buffer is full.
    /// - Throws: The end of the connection.
    func subscribe(
        to filter: SubjectFilter,
        group: String?
    ) async throws(TransportError)
        -> any FrameReader<BridgeFrame>

    /// Ends the connection with the code `closed`.
    ///
    /// Later calls have no effect.
    func close()
}

extension BridgeConnection {
    /// Throws `unsupported`.
    public func share(_ group: SharedGroup) async throws(TransportError) -> any SharedReader {
        throw TransportError(
            .unsupported,
            "This transport shares no work. Use a durable crossing or another transport."
        )
    }
}

/// A reader of the elements that a connection receives, in batches.
///
/// One task at a time calls ``next(atMost:)``. A reader that is released closes itself.
public protocol FrameReader<Element>: Sendable {
    /// The type of the received elements.
    associatedtype Element: Sendable

    /// Waits for elements and returns the received elements.
    ///
    /// - Parameter limit: The largest number of elements to return, at least 1. The reader fetches
    ///   at most a small multiple of this number ahead.
    /// - Returns: At least one element, or an empty array only if the reader was closed or the task
    ///   cancelled.
    /// - Throws: The end of the connection.
    func next(atMost limit: Int) async throws(TransportError) -> [Element]

    /// Ends the reading, but not the connection.
    ///
    /// Later calls have no effect.
    func close()
}

/// A reader of the frames that a shared group gives to one connection.
public protocol SharedReader: FrameReader<SharedFrame> {
    /// Removes frames from the group, because they are handled.
    func acknowledge(_ tickets: [String]) async throws(TransportError)

    /// Returns a frame to the group, which delivers it again after the pause.
    func retry(_ ticket: String, after pause: Duration) async throws(TransportError)

    /// Starts the time limit of the group anew, because the work on the frame goes on.
    func extend(_ ticket: String) async throws(TransportError)
}
