// SPDX-License-Identifier: Apache-2.0

extension Router {
    /// Returns the other machines of the household; none without `--join`.
    func machines() -> ServerResponse {
        .json(household?.overview() ?? HouseholdOverview())
    }
}
