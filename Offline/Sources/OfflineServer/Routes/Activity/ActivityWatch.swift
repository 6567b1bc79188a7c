// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import Tidings
import TidingsLock
import TidingsTracing

/// Records the newest posts of a center while at least one stream follows them.
///
/// Without a follower, this class records nothing, and a post costs the same as without this class.
/// A follower that reads slowly, or not at all, holds at most one event for each recorded post.
final class ActivityWatch: Sendable {
    /// The maximum number of recorded posts.
    static let capacity = 200

    private struct State {
        /// The followers by stream.
        ///
        /// The connection of a stream owns the stream.
        var followers: [ObjectIdentifier: Follower] = [:]
        var log = ActivityLog(capacity: ActivityWatch.capacity)
        /// The observation of the center and the keep-alive task, or nil without a follower.
        var work: Work?
    }

    private struct Follower {
        weak let stream: EventStream?
    }

    private struct Work {
        let token: ObservationToken
        let keepAlive: Task<Void, Never>
    }

    private let center: MessageCenter
    private let clock: any Clock<Duration>
    private let state = Lock(State())

    init(_ center: MessageCenter, clock: any Clock<Duration>) {
        self.center = center
        self.clock = clock
    }

    /// The recorded posts and the present observations.
    var snapshot: ActivityJSON {
        let (isWatched, posts) = state.withLock { ($0.work != nil, $0.log.posts) }
        let places = center.leakReport().places.map { ActivityPlaceJSON($0) }
        return ActivityJSON(isWatched: isWatched, posts: posts, observations: places)
    }

    /// Returns the stream of a new follower, with the snapshot first and then an event for each
    /// post.
    func connect() -> EventStream {
        let stream = EventStream()
        let id = ObjectIdentifier(stream)
        // The registration precedes the snapshot, so that the stream misses no post between the
        // two.
        state.withLock { $0.followers[id] = Follower(stream: stream) }
        startIfNeeded()
        stream.begin(with: [ServerEvent(.activity, json: JSONCoding.encode(snapshot))])
        stream.onEnd { [weak self] in self?.leave(id) }
        return stream
    }

    /// Stops the recording.
    ///
    /// The server ends the streams.
    func stop() {
        let work = state.withLock { state in
            state.followers = [:]
            return state.work.take()
        }
        end(work)
    }

    private var streams: [EventStream] {
        state.withLock { $0.followers.values.compactMap(\.stream) }
    }

    private func startIfNeeded() {
        guard state.withLock({ $0.work == nil }) else { return }
        let token = center.watch(delivered: { [weak self] in self?.record($0) })
        let clock = clock
        let keepAlive = Task { [weak self] in
            while (try? await clock.sleep(for: EventHub.keepAliveInterval)) != nil {
                guard let self else { return }
                for stream in streams { stream.offer(.keepAlive) }
            }
        }
        let work = Work(token: token, keepAlive: keepAlive)
        // Another thread may have started the work first, or the last follower may have left.
        let unneeded = state.withLock { state -> Work? in
            guard state.work == nil, !state.followers.isEmpty else { return work }
            state.work = work
            return nil
        }
        end(unneeded)
    }

    private func leave(_ id: ObjectIdentifier) {
        let work = state.withLock { state -> Work? in
            state.followers[id] = nil
            guard state.followers.isEmpty else { return nil }
            state.log = ActivityLog(capacity: Self.capacity)
            return state.work.take()
        }
        end(work)
    }

    private func end(_ work: Work?) {
        work?.token.cancel()
        work?.keepAlive.cancel()
    }

    private func record(_ delivery: DeliveryRecord) {
        let post = ActivityPostJSON(delivery)
        let index = state.withLock { $0.log.append(post) }
        let event = ServerEvent(.post, number: Int64(index), json: JSONCoding.encode(post))
        for stream in streams { stream.offer(event) }
    }
}
