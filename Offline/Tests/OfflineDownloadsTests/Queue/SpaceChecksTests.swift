// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite struct SpaceChecksTests {
    @Test func aFullDiskIsCheckedEveryTenSeconds() {
        var checks = SpaceChecks()
        for _ in 0..<5 {
            checks.fail(hasSpace: false)
            #expect(checks.interval == .seconds(10))
            checks.resume()
        }
    }

    @Test func aDiskThatRefusesItsFreeBytesIsCheckedLessAndLess() {
        var checks = SpaceChecks()
        let intervals = (0..<8).map { _ in
            checks.fail(hasSpace: true)
            checks.resume()
            return checks.interval
        }
        #expect(intervals.map(\.components.seconds) == [10, 20, 40, 80, 160, 320, 320, 320])
        checks.succeed()
        #expect(checks.interval == .seconds(10))
    }

    @Test func severalDownloadsThatFailAtOnceCountOnce() {
        var checks = SpaceChecks()
        checks.resume()
        for _ in 0..<5 { checks.fail(hasSpace: true) }
        #expect(checks.interval == .seconds(20))
    }
}
