// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Watches the posts of a center for as long as somebody follows them, and keeps the newest.
///
/// Without a follower the center is not watched: a post then costs what it always costs, and
/// nothing is kept. A follower that reads slowly, or not at all, costs at most one event for each
/// post that is kept.
final class ActivityWatch: Sendable {
    /// How many posts are kept.
    static let capacity = 200

    private struct State {
        /// Those whose connections keep them.
        var followers: [ObjectIdentifier: Follower] = [:]
        var log = ActivityLog(capacity: ActivityWatch.capacity)
        /// What watches the center and keeps the lines alive, while somebody follows.
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

    /// All that is known now.
    var snapshot: ActivityJSON {
        let (isWatched, posts) = state.withLock { ($0.work != nil, $0.log.posts) }
        let places = center.leakReport().places.map { ActivityPlaceJSON($0) }
        return ActivityJSON(isWatched: isWatched, posts: posts, observations: places)
    }

    /// Makes the stream of a new follower: what is known now, then each post.
    func connect() -> EventStream {
        let stream = EventStream()
        let id = ObjectIdentifier(stream)
        // Known first, then the snapshot: a post in between comes after it, never not at all.
        state.withLock { $0.followers[id] = Follower(stream: stream) }
        startIfNeeded()
        stream.begin(with: [
            ServerEvent(.activity, name: "activity", json: JSONCoding.encode(snapshot))
        ])
        stream.whenEnded { [weak self] in self?.leave(id) }
        return stream
    }

    /// Stops watching; the server ends the streams.
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
        // Two may have begun at the same moment, and the last follower may have gone meanwhile.
        let needless = state.withLock { state -> Work? in
            guard state.work == nil, !state.followers.isEmpty else { return work }
            state.work = work
            return nil
        }
        end(needless)
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
        let place = state.withLock { $0.log.append(post) }
        let event = ServerEvent(.post(place), name: "post", json: JSONCoding.encode(post))
        for stream in streams { stream.offer(event) }
    }
}
