// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineSources
import Tidings
import TidingsFiles
import TidingsHTTP

/// The requests of one attempt to fetch a file.
///
/// While the first request is slow, further requests start.
struct FileConnections {
    /// The end of all requests.
    enum Outcome: Sendable {
        /// The attempt had only the first request.
        case single(HTTPTransfer)
        /// All ranges of the file are on disk.
        case complete
        /// Ranges are missing, and no connection is left.
        case incomplete
        /// The server's file has changed.
        case changed
    }

    private enum Event: Sendable {
        case tick(Duration)
        case ended(Int, RangeReceiver.Refusal?, Result<HTTPTransfer, HTTPError>)
    }

    private typealias Events = ThrowingTaskGroup<Event, any Error>

    private struct Connection {
        let task: RevocableTask
        let place: HostConnections.Place
        /// The number of received bytes at the last change, and the time of this change.
        var received: Int64 = 0
        var changed: Duration
        /// Whether this attempt has cancelled the connection.
        var isDropped = false
    }

    /// The time without bytes after which a connection is replaced, if other connections received
    /// bytes.
    private static let stallTime = Duration.seconds(5)
    /// The time by which the last bytes of other connections must be more recent.
    ///
    /// Otherwise, the network is at fault.
    private static let stallMargin = Duration.seconds(2)
    /// The number of failed connections after which an attempt starts no further connections.
    private static let failureLimit = 4

    private let environment: DownloadEnvironment
    private let endpoint: HTTPClients.Endpoint
    private let receiver: AddressReceiver
    private var count: ConnectionCount
    private var running: [Int: Connection] = [:]
    private var now = Duration.zero
    /// The last time at which any connection had bytes.
    private var lastActivity = Duration.zero
    private var failures = 0
    private var failure: (any Error)?
    private var isRefused = false

    /// Creates the requests of an attempt.
    ///
    /// - Parameters:
    ///   - environment: The dependencies of the download.
    ///   - endpoint: The client and the headers of the requests.
    ///   - receiver: The receiver of the first response.
    ///   - limit: The largest number of connections that the server accepts.
    init(
        _ environment: DownloadEnvironment,
        _ endpoint: HTTPClients.Endpoint,
        _ receiver: AddressReceiver,
        limit: Int
    ) {
        self.environment = environment
        self.endpoint = endpoint
        self.receiver = receiver
        count = ConnectionCount(limit: limit)
    }

    /// The largest number of connections that the server accepts.
    var limit: Int { count.limit }

    /// Performs the first request, and further requests for ranges of the same file.
    ///
    /// - Parameters:
    ///   - request: The first request.
    ///   - place: The place of the first request. This method leaves the place when the request
    ///     ends.
    /// - Returns: The end of all requests.
    /// - Throws: The error of the last connection, and any error of the disk.
    mutating func perform(
        _ request: HTTPRequest,
        at place: HostConnections.Place
    ) async throws -> Outcome {
        try await perform(request, at: place, on: environment.clock)
    }

    private mutating func perform<C: Clock<Duration>>(
        _ request: HTTPRequest,
        at place: HostConnections.Place,
        on clock: C
    ) async throws -> Outcome {
        let begin = clock.now
        defer { for connection in running.values { connection.place.leave() } }
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            start(request, receiver: receiver, number: 0, RevocableTask(), at: place, in: &group)
            addTick(on: clock, since: begin, to: &group)
            while let event = try await group.next() {
                switch event {
                case .tick(let instant):
                    now = instant
                    try await measure(&group)
                    addTick(on: clock, since: begin, to: &group)
                case .ended(let number, let refusal, let result):
                    let outcome = try await end(number, refusal: refusal, result, in: &group)
                    if let outcome { return outcome }
                }
            }
            return .incomplete
        }
    }

    private func addTick<C: Clock<Duration>>(
        on clock: C,
        since begin: C.Instant,
        to group: inout Events
    ) {
        guard receiver.mayHaveRanges else { return }
        let interval: Duration = count.isUrgent ? .milliseconds(100) : .seconds(1)
        group.addTask {
            try? await clock.sleep(for: interval)
            return .tick(begin.duration(to: clock.now))
        }
    }

    private mutating func start(
        _ request: HTTPRequest,
        receiver: any HTTPReceiver,
        number: Int,
        _ task: RevocableTask,
        at place: HostConnections.Place,
        in group: inout Events
    ) {
        running[number] = Connection(task: task, place: place, changed: now)
        let client = endpoint.client
        group.addTask {
            let result = await task.run {
                do throws(HTTPError) {
                    return Result<HTTPTransfer, HTTPError>.success(
                        try await client.perform(request, receiver: receiver)
                    )
                } catch {
                    return .failure(error)
                }
            }
            return .ended(number, (receiver as? RangeReceiver)?.refusal, result)
        }
    }

    /// Adapts the number of connections to their rate.
    private mutating func measure(_ group: inout Events) async throws {
        guard let (file, version) = receiver.fileWithRanges, !Task.isCancelled else { return }
        var isFlowing = active.count >= count.count
        for number in active {
            let received = file.received(by: number) ?? 0
            if received == 0 { isFlowing = false }
            if received != running[number]?.received {
                running[number]?.received = received
                running[number]?.changed = now
                lastActivity = now
            }
        }
        let length = file.length
        count.measure(
            ConnectionCount.Measurement(
                instant: now,
                received: length,
                missing: version.size - length,
                isFlowing: isFlowing,
                // More connections are not faster while the speed is limited.
                permitted: endpoint.isLimited
                    ? active.count : active.count + environment.hosts.free(version.address.host)
            )
        )
        dropStalled(isSpread: file.isSpread)
        for number in active.dropFirst(count.count) { drop(number) }
        try await startMore(file, version, in: &group)
    }

    /// The connections that this attempt has not cancelled, in the order of their start.
    private var active: [Int] { running.filter { !$0.value.isDropped }.keys.sorted() }

    private mutating func dropStalled(isSpread: Bool) {
        // The last connection of several may have stalled while the others fetched the rest.
        let isLast = isSpread && active.count == 1
        // With a speed limit, a connection may only wait for its turn.
        if endpoint.isLimited { return }
        for number in active where failures < Self.failureLimit {
            guard let changed = running[number]?.changed, now - changed > Self.stallTime,
                isLast || lastActivity - changed > Self.stallMargin
            else { continue }
            drop(number)
            // The server has accepted this connection, so an earlier refusal of another connection
            // does not end the download.
            fail(with: nil)
        }
    }

    private mutating func drop(_ number: Int) {
        running[number]?.isDropped = true
        running[number]?.task.cancel()
    }

    private mutating func fail(with error: (any Error)?) {
        failure = error
        failures += 1
        if failures >= Self.failureLimit { count.refuse(active.count) }
    }

    /// Starts connections up to the current number, as far as the file and the host permit.
    private mutating func startMore(
        _ file: PartialFile,
        _ version: FileVersion,
        in group: inout Events
    ) async throws {
        while active.count < count.count {
            if !file.isSpread {
                guard !active.isEmpty else { return }
                try await performBlocking { () throws(SystemError) in
                    try file.spread(size: version.size)
                }
            }
            let task = RevocableTask()
            let host = version.address.host
            guard let place = environment.hosts.enterFurther(host, revoke: { task.cancel() })
            else { return }
            let next: ConnectionPlan.Assignment?
            do {
                next = try file.beginNext()
            } catch {
                place.leave()
                throw error
            }
            guard let next else { return place.leave() }
            let range = RangeRequest(
                range: next.range,
                validator: version.validator,
                size: version.size
            )
            var request = endpoint.request(version.address)
            range.apply(to: &request)
            request.needsOwnConnection = true
            let (receiver, number) = (self.receiver, next.connection)
            let further = RangeReceiver(range) { bytes in
                try receiver.write(bytes, to: file, by: number)
            }
            start(request, receiver: further, number: number, task, at: place, in: &group)
        }
    }

    /// Records the end of a connection.
    ///
    /// Other connections fetch the missing bytes.
    ///
    /// - Returns: The outcome if the connection was the last connection, otherwise nil.
    /// - Throws: The error of the last connection, and any error of the disk.
    private mutating func end(
        _ number: Int,
        refusal: RangeReceiver.Refusal?,
        _ result: Result<HTTPTransfer, HTTPError>,
        in group: inout Events
    ) async throws -> Outcome? {
        guard let connection = running.removeValue(forKey: number) else { return nil }
        connection.place.leave()
        guard let (file, version) = receiver.fileWithRanges, file.isSpread else {
            return .single(try result.get())
        }
        let isEmpty = file.received(by: number) == 0
        file.end(number)
        switch (result, refusal) {
        case (.success, .changed?):
            // Servers of one name may have different versions. With more connections, the attempts
            // would find another version again and again.
            count.refuse(1)
            return .changed
        case (.success, .refused(let head)?):
            if !head.isSuccess { failure = DownloadError(status: head.status, head: head) }
            isRefused = true
            count.refuse(active.count)
        case (.success, nil) where isEmpty && !file.isComplete:
            fail(with: DownloadError(incompleteResponseOf: version.address))
        case (.success, nil): failure = nil
        case (.failure(let error), _) where error.code == .stopped || Task.isCancelled:
            throw error
        case (.failure, _) where connection.isDropped: break
        case (.failure(let error), _) where error.code == .cancelled:
            // Another download needs the place of this connection.
            count.yield(to: active.count, at: now)
        case (.failure(let error), _): fail(with: error)
        }
        if file.isComplete { return .complete }
        // If no connection is active, a refusal or too many failures end the attempt. The next
        // attempt waits first.
        if !active.isEmpty || (!isRefused && failures < Self.failureLimit) {
            try await startMore(file, version, in: &group)
        }
        guard running.isEmpty else { return nil }
        if let failure { throw failure }
        return .incomplete
    }
}
