// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct PlaybackTests {
    private static let date = Date(timeIntervalSince1970: 5)

    @Test(arguments: [
        // The values are the duration, the time, the time at which to continue, and the mark.
        (600.0, 2.9, 0.0, false), (600, 3, 3, false), (600, 569, 569, false), (600, 570, 0, true),
        (7_200, 7_019, 7_019, false), (7_200, 7_020, 0, true), (24, 23, 0, true), (24, 30, 0, true),
        (nil, 9e6, 9e6, false),
    ])
    func theEndOfAnItemMarksItAsWatched(
        _ duration: Double?,
        _ time: Double,
        _ seconds: Double,
        _ isWatched: Bool
    ) throws {
        let change = try PlaybackChange(seconds: time)
        let result = Playback().applying(change, duration: duration, at: Self.date)
        #expect(
            result == Playback(seconds: seconds, isWatched: isWatched, playedAt: Self.date)
        )
    }

    @Test func aMarkBeginsTheItemAgainAndKeepsTheTimeOfPlaying() throws {
        let before = Playback(seconds: 40, isWatched: false, playedAt: Self.date)
        for isWatched in [true, false] {
            let change = try PlaybackChange(seconds: nil, isWatched: isWatched)
            let after = before.applying(change, duration: 600, at: Date())
            #expect(after == Playback(seconds: 0, isWatched: isWatched, playedAt: Self.date))
        }
    }

    @Test func anItemThatIsPlayedAgainStaysWatched() throws {
        let change = try PlaybackChange(seconds: 40)
        let after = Playback(isWatched: true).applying(change, duration: 600, at: Self.date)
        #expect(after == Playback(seconds: 40, isWatched: true, playedAt: Self.date))
    }

    @Test(arguments: [
        // The values are the age of the change in seconds, or nil, and the resulting time.
        (1.0, 10.0), (5, 10), (5.001, 40), (1e9, 40), (nil, 10),
    ])
    func aLateChangeCountsOnlyIfNothingWasPlayedSince(_ age: Double?, _ seconds: Double) throws {
        let before = Playback(seconds: 40, playedAt: Self.date)
        let now = Self.date.addingTimeInterval(age == nil ? -60 : 5)
        for isWatched in [nil, false] {
            let change = try PlaybackChange(seconds: 10, isWatched: isWatched, age: age)
            let after = before.applying(change, duration: 600, at: now)
            let playedAt = seconds == 40 ? Self.date : now.addingTimeInterval(-(age ?? 0))
            #expect(after == Playback(seconds: seconds, playedAt: playedAt))
        }
    }

    @Test(arguments: [-0.001, 1e9 + 1, .infinity, .nan])
    func agesOutOfRangeAreRefused(_ age: Double) {
        #expect(throws: LibraryError.self) { try PlaybackChange(seconds: 1, age: age) }
    }

    @Test(arguments: [-0.001, 1e7 + 1, .infinity, .nan])
    func timesOutOfRangeAreRefused(_ seconds: Double) {
        #expect(throws: LibraryError.self) { try PlaybackChange(seconds: seconds) }
        #expect(throws: LibraryError.self) { try PlaybackChange(seconds: nil) }
    }
}
