// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineModel

@Suite struct ItemMoveTests {
    /// The legal moves with the states before and after each move.
    private static let legal: [ItemMove: [ItemState: ItemState]] = [
        .start: [.queued: .fetching],
        .readPlaylist: [.fetching: .fetchingPlaylist, .fetchingPlaylist: .fetchingPlaylist],
        .fetch: [.fetching: .fetching, .fetchingPlaylist: .fetching],
        .join: [.fetching: .muxing],
        .check: [.fetching: .verifying, .muxing: .verifying],
        .finish: [.fetching: .ready, .verifying: .ready, .unverified: .ready],
        .fail: [
            .queued: .failed, .fetchingPlaylist: .failed, .fetching: .failed, .muxing: .failed,
            .verifying: .failed, .unverified: .failed,
        ],
        .interrupt: [
            .fetchingPlaylist: .queued, .fetching: .queued, .muxing: .queued, .verifying: .queued,
        ],
        .pause: [
            .queued: .paused, .fetchingPlaylist: .paused, .fetching: .paused, .muxing: .paused,
            .verifying: .paused, .paused: .paused,
        ],
        .retry: [.paused: .queued, .failed: .queued, .missing: .queued],
        .replace: [.ready: .queued],
        .recheck: [.unverified: .unverified, .failed: .unverified, .missing: .unverified],
        .lose: [.ready: .missing, .unverified: .missing, .failed: .missing],
        .find: [.missing: .ready],
    ]

    @Test(arguments: ItemMove.allCases)
    func onlyTheListedMovesAreLegal(_ move: ItemMove) throws {
        let expected = try #require(Self.legal[move])
        for state in ItemState.allCases { #expect(state.after(move) == expected[state]) }
    }

    @Test func everyStateCanBeReachedFromTheQueue() {
        var reached: Set<ItemState> = [.queued]
        for _ in ItemState.allCases {
            let next = reached.flatMap { state in ItemMove.allCases.compactMap(state.after) }
            reached.formUnion(next)
        }
        #expect(reached == Set(ItemState.allCases))
    }

    @Test func aReadyItemIsNeverPausedOrFailed() {
        for move in [ItemMove.pause, .fail, .interrupt, .start, .retry] {
            #expect(ItemState.ready.after(move) == nil)
        }
    }
}
