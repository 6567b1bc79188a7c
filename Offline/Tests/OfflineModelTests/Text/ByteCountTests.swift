// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Testing

@Suite struct ByteCountTests {
    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (12_340_000, "12.3 MB"),
        (5_000_000_000, "5.0 GB"),
    ])
    func sizesUseDecimalUnits(count: Int64, text: String) {
        #expect(ByteCount.text(count) == text)
    }
}
