// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct ByteRangeHeaderTests {
    static let table: [(String?, Int64, ByteRangeHeader)] = [
        (nil, 100, .whole),
        ("bytes=0-", 100, .part(offset: 0, length: 100)),
        ("bytes=0-0", 100, .part(offset: 0, length: 1)),
        ("bytes=10-19", 100, .part(offset: 10, length: 10)),
        ("Bytes = 10-19", 100, .part(offset: 10, length: 10)),
        ("bytes=90-200", 100, .part(offset: 90, length: 10)),
        ("bytes=99-", 100, .part(offset: 99, length: 1)),
        ("bytes=-10", 100, .part(offset: 90, length: 10)),
        ("bytes=-1000", 100, .part(offset: 0, length: 100)),
        ("bytes=0-99999999999999999999", 100, .part(offset: 0, length: 100)),
        ("bytes=100-", 100, .unsatisfiable),
        ("bytes=99999999999999999999-", 100, .unsatisfiable),
        ("bytes=-0", 100, .unsatisfiable),
        ("bytes=0-", 0, .unsatisfiable),
        ("bytes=-5", 0, .unsatisfiable),
        ("bytes=5-4", 100, .whole),
        ("bytes=0-1,5-6", 100, .whole),
        ("bytes=a-b", 100, .whole),
        ("bytes=+1-2", 100, .whole),
        ("bytes=1-2-3", 100, .whole),
        ("bytes=-", 100, .whole),
        ("bytes=", 100, .whole),
        ("items=0-5", 100, .whole),
        ("0-5", 100, .whole),
    ]

    @Test(arguments: table)
    func readsTheHeader(_ text: String?, _ size: Int64, _ expected: ByteRangeHeader) {
        #expect(ByteRangeHeader.parse(text, size: size) == expected)
    }
}
